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

/** The HTTP status of each reason, and the title and the text of its notice. */
const REASONS: Readonly<
  Record<RedisplayReason['why'], readonly [status: number, ...notice: readonly [TextKey, TextKey] | []]>
> = {
  unverified: [422, 'sendAgain', 'sendAgainWhy'],
  unused: [409, 'sendAgain', 'notUsed'],
  unchosen: [422, 'chooseOne', 'chooseOneHow'],
  changed: [422, 'offerChanged', 'offerChangedHow'],
  discount: [422, 'discountGone', 'askForNewLink'],
  // The error is shown next to the promotion code, so no notice is needed.
  code: [422],
  faulty: [422, 'checkDetails', 'nothingCharged'],
  // The notice also depends on the error.
  declined: [402],
  // A page with the waiting time replaces the form.
  too_many_declines: [429],
}

/** Returns the HTTP status of a form that is shown again. */
export function getRedisplayStatus({ why }: RedisplayReason): number {
  return REASONS[why][0]
}

/** Returns the notice above a form that is shown again, or null when no notice is needed. */
export function createFormNotice(reason: RedisplayReason | undefined, language: Language): FormNotice | null {
  if (reason === undefined) return null
  if (reason.why === 'declined') return createDeclineNotice(reason, language)
  const [, title, text] = REASONS[reason.why]
  return title && text ? { title: language.t(title), text: language.t(text) } : null
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
