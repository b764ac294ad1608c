/** The version of the stored records, in files and in PostgreSQL. Increment it when records change their meaning. */
export const FORMAT_VERSION = 5
