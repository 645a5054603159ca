package scene

import "github.com/8f878440/crowd/internal/formats"

// foreignFormats is empty in the browser, because support for these formats would make the download of the
// web page a sixth larger.
var foreignFormats []formats.Format
