package scene

import "github.com/8f878440/crowd/internal/formats"

// foreignFormats is empty because the web page reads only scene files. Other formats would make the
// download a sixth larger.
var foreignFormats []formats.Format
