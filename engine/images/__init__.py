"""Pictures in and out: uploads, downloads, sheets, and where the parts of a drawing are."""
