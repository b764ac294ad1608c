/** The reason for rejecting a logo, as the end of a sentence that starts with the name of the logo. */
export class LogoError extends Error {}
