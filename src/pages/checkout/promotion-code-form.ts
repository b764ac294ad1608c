import { findSessionRedemptionError } from '../../domain/completion/session-offers.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { Redemption } from '../../domain/sessions/discounts.ts'
import type { FormState } from '../forms/card-form.ts'
import { EN } from '../languages/en.ts'
import { type Html, html } from '../markup/html.ts'
import type { PageView } from '../view/page-view.ts'

const { codeUnknown, codeExpired, codeExhausted, codeNotApplicable } = EN.errors

/** The messages of errors that prevent the redemption of a promotion code, by error code. */
const MESSAGES: Readonly<Record<string, string>> = {
  coupon_expired: codeExpired,
  coupon_exhausted: codeExhausted,
  currency_mismatch: codeNotApplicable,
  promotion_code_first_time_only: codeNotApplicable,
}

/** Returns the English message of an error that prevents the redemption of a code. */
export function describeCodeError({ code }: { readonly code: string }): string {
  return MESSAGES[code] ?? codeUnknown
}

/** Returns the form in which a customer enters a promotion code, or removes the applied code. */
export function renderPromotionCodeForm(
  session: CheckoutSession,
  redemption: Redemption | null,
  { token, errors, prefilled, now }: FormState,
  { links, language: { t, translateError } }: PageView,
): Html {
  const unusable = findSessionRedemptionError({ session: { ...session, discounts: [] }, redemption }, now)
  const entered = redemption?.promotionCode?.code ?? ''
  const isApplied = redemption !== null && unusable === null
  const code = prefilled.code ?? entered
  const submitted = errors.find(({ param }) => param === 'promotion_code')?.message
  const error =
    submitted ?? (unusable && prefilled.code === undefined ? describeCodeError(unusable) : undefined)
  return html`<form class="code" method="post" action="${links.session(session, '/promotion_code')}">
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
${isApplied && html`<p><span>${t('promotionCode')}</span> <bdi>${entered}</bdi></p>\n<button type="submit" class="quiet" name="remove" value="1">${t('removeCode')}</button>`}
${isApplied && submitted === undefined ? null : entryFields(isApplied ? (prefilled.code ?? '') : code, error && translateError(error), t)}
</form>`
}

function entryFields(code: string, error: string | undefined, t: PageView['language']['t']): Html {
  const invalid = error !== undefined && html` aria-invalid="true" aria-describedby="code-error" autofocus`
  return html`<label for="code">${t('promotionCode')} <i>${t('optional')}</i></label>
<input type="text" id="code" name="code" value="${code}" autocomplete="off" autocapitalize="characters" maxlength="64" spellcheck="false" dir="ltr"${invalid}>
<button type="submit" class="quiet">${t('applyCode')}</button>
${error && html`<p class="field-error" id="code-error">${error}</p>`}`
}
