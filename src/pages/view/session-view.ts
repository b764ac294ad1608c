import type { AnySession } from '../../domain/any-session.ts'
import { brandingOf } from '../../domain/branding.ts'
import { logoFileName } from '../brand/logo-file.ts'
import type { PageView } from './page-view.ts'
import { getReturnTarget } from './return-url.ts'

/** Returns the view of a session's pages: its own brand, completed by that of the server and the host of `return_url`. */
export function sessionView(view: PageView, session: AnySession): PageView {
  const { brand, links } = view
  const { business_name, brand_color, logo } = brandingOf(session) ?? {}
  return {
    ...view,
    brand: {
      name: business_name ?? brand.name ?? getReturnTarget(session)?.host ?? null,
      color: brand_color ?? brand.color,
      logo: logo ? links.sessionLogo(session, logoFileName(logo)) : brand.logo,
    },
  }
}
