const DRAWER_MS = 2000

/**
 * What keeps a page up to date in a browser with scripts, without reloading it: one that waits goes on once there is
 * something else to see, and the drawer shows the newest events beside a form that somebody is typing in.
 */
export const LIVE_SCRIPT = `(() => {
const { next, every } = document.body.dataset
if (next) again(every * 1000, async () => {
  const page = await load(next)
  if (page.body.dataset.next !== next) location.replace(next)
})

const drawer = document.querySelector('.drawer details')
if (drawer) again(${DRAWER_MS}, async () => {
  if (!drawer.open || document.hidden) return
  const page = await load(drawer.querySelector('.reload').href)
  const [shown, fresh] = [drawer, page].map((one) => one.querySelector('.happenings'))
  if (fresh && fresh.innerHTML !== shown.innerHTML) shown.replaceWith(fresh)
})

async function load(url) {
  const answer = await fetch(url, { headers: { Accept: 'text/html' } })
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

// The service may be away for a moment.
function again(ms, work) {
  setTimeout(() => work().catch(() => {}).then(() => again(ms, work)), ms)
}
})()
`
