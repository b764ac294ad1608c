/** The reason why a logo is rejected: completes a sentence that starts with its name. */
export class LogoError extends Error {}
