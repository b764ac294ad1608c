const DRAWER_REFRESH_MS = 2000

/**
 * Updates a page without reloading it: a waiting page navigates once the server returns a different page, and the open
 * developer drawer shows new events without disturbing the form.
 */
export const LIVE_SCRIPT = `(() => {
const { next, every } = document.body.dataset
if (next) repeat(every * 1000, async () => {
  const page = await load(next)
  if (page.body.dataset.next !== next) location.replace(next)
})

const drawer = document.querySelector('.drawer details')
if (drawer) repeat(${DRAWER_REFRESH_MS}, async () => {
  if (!drawer.open || document.hidden) return
  const page = await load(drawer.querySelector('.reload').href)
  const [shown, fresh] = [drawer, page].map((one) => one.querySelector('.events'))
  if (fresh && fresh.innerHTML !== shown.innerHTML) shown.replaceWith(fresh)
})

async function load(url) {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

// A failed request is tried again, because the daemon may be restarting.
function repeat(ms, work) {
  setTimeout(() => work().catch(() => {}).then(() => repeat(ms, work)), ms)
}
})()
`
