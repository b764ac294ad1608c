import type { ComponentChildren } from 'preact'
import { navigate, screenUrl } from '../routing/router.ts'

interface LinkProps {
  readonly href: string
  readonly class?: string
  readonly title?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** Shows a link to another screen, which opens without a new page. */
export function Link({ href, isCurrent = false, children, ...props }: LinkProps) {
  const open = (event: MouseEvent) => {
    // Leaves clicks that open new tabs and windows to the browser.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a href={href} onClick={open} {...(isCurrent ? { 'aria-current': 'page' } : {})} {...props}>
      {children}
    </a>
  )
}

/** Shows a link to the screen of an object. */
export function ObjectLink({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  return (
    <Link href={objectUrl(id)} {...(children === undefined ? { class: 'id', title: id } : {})}>
      {children ?? id}
    </Link>
  )
}

/** The screens of objects that have their own screen, by the prefix of the id. */
const SCREENS: Readonly<Record<string, string>> = {
  whd_: 'webhooks',
  req_: 'requests',
  clock_: 'clocks',
}

/** Returns the URL of the screen of an object. */
export function objectUrl(id: string): string {
  const prefix = Object.keys(SCREENS).find((one) => id.startsWith(one))
  return screenUrl([prefix === undefined ? 'objects' : (SCREENS[prefix] ?? 'objects'), id])
}
