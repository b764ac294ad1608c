const EVENTS_REFRESH_MS = 2000

// A page that waits for a result navigates once the server returns a different page.
const { next, every } = document.body.dataset
if (next !== undefined) {
  repeat(Number(every) * 1000, async () => {
    const page = await load(next)
    if (page.body.dataset['next'] !== next) location.replace(next)
  })
}

// The open test bar of a local server shows new events without disturbing the form.
const testBar = document.querySelector<HTMLDetailsElement>('.tests details')
if (testBar !== null) {
  const refresh = async () => {
    const reload = testBar.querySelector<HTMLAnchorElement>('.reload')
    if (!testBar.open || document.hidden || reload === null) return
    const page = await load(reload.href)
    const shown = testBar.querySelector('.events')
    const fresh = page.querySelector('.events')
    if (fresh !== null && fresh.innerHTML !== shown?.innerHTML) shown?.replaceWith(fresh)
  }
  testBar.addEventListener('toggle', refresh)
  repeat(EVENTS_REFRESH_MS, refresh)
}

async function load(url: string): Promise<Document> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

function repeat(ms: number, work: () => Promise<void>): void {
  const again = () => repeat(ms, work)
  // A failed request is tried again, because the daemon may be restarting.
  setTimeout(() => work().then(again, again), ms)
}
