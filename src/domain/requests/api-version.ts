/** The version of the API, of its objects and of its events. */
export const API_VERSION = '1'
