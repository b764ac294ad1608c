/** The version of the stored records in files and PostgreSQL. Increment it when the meaning of records changes. */
export const RECORD_FORMAT_VERSION = 5
