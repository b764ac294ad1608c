import { cachePerLanguage } from '../languages/language.ts'
import { html } from '../markup/html.ts'

/** Returns the attributes of the body with the texts that the script of a form shows. */
export const formTexts = cachePerLanguage(
  ({ t }) =>
    html` data-working="${t('working')}" data-done="${t('done')}" data-lost="${t('connectionLost')}" data-how="${t('connectionLostHow')}" data-again="${t('tryAgain')}"`,
)
