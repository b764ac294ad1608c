import { digestOffer, type FormTokenClaims } from './form-token.ts'

/** Thrown when a submitted form would charge something else than its page showed. */
export class ChangedOfferError extends Error {}

/** Throws when a form was rendered with an offer other than the current one. */
export function requireShownOffer(form: FormTokenClaims, offer: string): void {
  if (form.offer !== digestOffer(offer))
    throw new ChangedOfferError('the form would charge something else than its page showed')
}
