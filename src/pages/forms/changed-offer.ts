import { digestOffer, type RenderedForm } from './form-token.ts'

/** A submitted form would charge something else than its page showed. */
export class ChangedOfferError extends Error {}

/** Throws unless a form was rendered with an offer. */
export function requireShownOffer(form: RenderedForm, offer: string): void {
  if (form.offer !== digestOffer(offer))
    throw new ChangedOfferError('the form would charge something else than its page showed')
}
