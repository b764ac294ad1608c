import type { HostedSession } from '../../domain/completion/hosted-session.ts'
import { isLoopbackHost } from '../../domain/text/loopback-hosts.ts'
import { getLogoFileName } from '../brand/logo-file.ts'
import { negotiateLanguage } from '../languages/language.ts'
import type { PageView } from './page-view.ts'
import { findReturnTarget } from './return-url.ts'

/**
 * Returns the view of a session's pages. The pages have the brand of the session, completed by the brand of the server
 * and the host name of `return_url`. They have the language of the session, unless the customer chose another language.
 */
export function createSessionPageView(view: PageView, session: HostedSession): PageView {
  const { brand, links, language, acceptLanguage } = view
  const { business_name, brand_color, logo } = session.branding ?? {}
  return {
    ...view,
    language:
      links.chosenLanguage === null && session.locale
        ? negotiateLanguage(acceptLanguage, session.locale)
        : language,
    brand: {
      name: business_name ?? brand.name ?? hostNameOf(session),
      color: brand_color ?? brand.color,
      logo: logo ? links.sessionLogo(session, getLogoFileName(logo)) : brand.logo,
    },
  }
}

/** Returns the host of `return_url`; null for a loopback host, which does not identify a merchant. */
function hostNameOf(session: HostedSession): string | null {
  const target = findReturnTarget(session)
  return target === null || isLoopbackHost(new URL(target.url).hostname) ? null : target.host
}
