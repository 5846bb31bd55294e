/** For so long an export can be downloaded. */
export const EXPORT_HOURS = 24

export const EXPORT_ACTION = '/settings/data/export'

/** The id of its heading, which gets the focus when the export has begun. */
export const EXPORT_ID = 'export'

export const EXPORT_README = `What is kept of your account.

Each JSON file has one kind of things, as a list; what a field is called says what it means. Times are UTC,
in the format of ISO 8601. "file" names the file of a document or picture in this ZIP.

Not in here are passwords, PINs, tokens, keys and other secrets, which are kept as fingerprints that cannot
be turned back, and what others gave without showing it to you. Files that were deleted while this ZIP was
made are named in missing.json, if there are any.
`
