"""Takes pictures in and out: uploads, downloads, and where the parts of a drawing are."""
