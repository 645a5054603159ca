package scene

import "github.com/8f878440/crowd/internal/formats"

// foreignFormats is empty because these formats would make the download of the web page a sixth larger.
var foreignFormats []formats.Format
