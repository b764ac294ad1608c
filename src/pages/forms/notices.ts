import type { Language } from '../languages/language.ts'
import type { FormState, Notice } from './card-form.ts'
import { EMPTY_FIELDS } from './posted-form.ts'
import type { RedisplayedForm, RedisplayReason } from './redisplayed-form.ts'

/** Creates the state of a form, with the notice and fields of an earlier submission if there was one. */
export function createFormState(
  resumed: RedisplayedForm | null,
  base: Pick<FormState, 'token' | 'now'>,
  language: Language,
): FormState {
  const { errors = [], prefilled = EMPTY_FIELDS } = resumed ?? {}
  return { ...base, errors, prefilled, notice: createNotice(resumed?.reason, language) }
}

/** Returns the notice above a form that is shown again, or null when no notice is needed. */
export function createNotice(reason: RedisplayReason | undefined, language: Language): Notice | null {
  const { t } = language
  switch (reason?.why) {
    case 'unverified':
      return { title: t('sendAgain'), text: t('sendAgainWhy') }
    case 'unused':
      return { title: t('sendAgain'), text: t('notUsed') }
    case 'unchosen':
      return { title: t('chooseOne'), text: t('chooseOneHow') }
    case 'changed':
      return { title: t('offerChanged'), text: t('offerChangedHow') }
    case 'faulty':
      return { title: t('checkDetails'), text: t('nothingCharged') }
    case 'declined':
      return createDeclineNotice(reason, language)
    case 'too_many_declines':
    case undefined:
      return null
  }
}

/** Returns the reason of a decline and the next step; with `last4`, also that the card was not charged. */
function createDeclineNotice(
  { code, message, last4 }: Extract<RedisplayReason, { readonly why: 'declined' }>,
  language: Language,
): Notice {
  const { t, translateError } = language
  const uncharged = last4 === undefined ? [] : [t('cardNotCharged', { last4 })]
  return { title: getDeclineTitle(code, language), text: [translateError(message), ...uncharged].join(' ') }
}

/** Returns the title of a decline, by its error code. */
export function getDeclineTitle(code: string | null, { t }: Pick<Language, 't'>): string {
  const isUnconfirmed = code === 'authentication_failed' || code === 'authentication_required'
  return t(isUnconfirmed ? 'notConfirmed' : 'cardDeclined')
}
