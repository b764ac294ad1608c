import type { Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'
import type { FormNotice, FormState } from './card-form.ts'
import { EMPTY_FIELDS } from './posted-form.ts'
import type { RedisplayedForm, RedisplayReason } from './redisplayed-form.ts'

/** Creates the state of a form, with the notice, errors and fields of an earlier submission if there is one. */
export function createFormState(
  resumed: RedisplayedForm | null,
  base: Pick<FormState, 'token' | 'now'>,
  language: Language,
): FormState {
  const { errors = [], prefilled = EMPTY_FIELDS } = resumed ?? {}
  return { ...base, errors, prefilled, notice: createFormNotice(resumed?.reason, language) }
}

/** The notices by reason. The notice of a decline is not included, because it also depends on the error. */
const NOTICES: Readonly<
  Record<Exclude<RedisplayReason['why'], 'declined'>, readonly [title: TextKey, text: TextKey] | null>
> = {
  unverified: ['sendAgain', 'sendAgainWhy'],
  unused: ['sendAgain', 'notUsed'],
  unchosen: ['chooseOne', 'chooseOneHow'],
  changed: ['offerChanged', 'offerChangedHow'],
  discount: ['discountGone', 'askForNewLink'],
  // The error is shown next to the promotion code, so no notice is needed.
  code: null,
  faulty: ['checkDetails', 'nothingCharged'],
  // A page with the waiting time replaces the form.
  too_many_declines: null,
}

/** Returns the notice above a form that is shown again, or null when no notice is needed. */
export function createFormNotice(reason: RedisplayReason | undefined, language: Language): FormNotice | null {
  if (reason === undefined) return null
  if (reason.why === 'declined') return createDeclineNotice(reason, language)
  const texts = NOTICES[reason.why]
  return texts && { title: language.t(texts[0]), text: language.t(texts[1]) }
}

/** Returns the reason of a decline and the next step; `last4` adds the sentence that the card was not charged. */
function createDeclineNotice(
  { code, message, last4 }: Extract<RedisplayReason, { readonly why: 'declined' }>,
  language: Language,
): FormNotice {
  const { t, translateError } = language
  const uncharged = last4 === undefined ? [] : [t('cardNotCharged', { last4 })]
  return { title: getDeclineTitle(code, language), text: [translateError(message), ...uncharged].join(' ') }
}

/** Returns the title of the notice about a decline, by error code. */
export function getDeclineTitle(code: string | null, { t }: Pick<Language, 't'>): string {
  const isUnconfirmed = code === 'authentication_failed' || code === 'authentication_required'
  return t(isUnconfirmed ? 'notConfirmed' : 'cardDeclined')
}
