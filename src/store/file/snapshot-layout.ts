/** How the last line of a snapshot begins, which holds the checksums. */
export const CHECK_START = ',\n"check":'

/** The longest that a checksum can be in the list of them, comma included. */
export const CHECKSUM_BYTES = '4294967295,'.length
