import { svg } from '../../domain/branding/logos/hostile-svgs.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf, VISA } from '../hosted-pages.ts'

const test = suite('session-view')

const LOGO = `data:image/svg+xml,${encodeURIComponent(svg('<rect width="10" height="10"/>'))}`
const SERVER = { name: 'Server', color: '#2a9d8f' }

test('overrides individual fields of the server branding with the branding of the session', async () => {
  for (const [branding, name, color] of [
    [undefined, 'Server', '#2a9d8f'],
    [{}, 'Server', '#2a9d8f'],
    [{ business_name: 'Harbor Gym' }, 'Harbor Gym', '#2a9d8f'],
    [{ brand_color: '#7A3B1D' }, 'Server', '#7a3b1d'],
    [{ business_name: 'Harbor Gym', brand_color: '#7a3b1d' }, 'Harbor Gym', '#7a3b1d'],
  ] as const) {
    const hosted = new HostedPages()
    hosted.pages.brand = SERVER
    const { body } = await hosted.get(pathOf(await hosted.payment({ ...(branding && { branding }) })))
    assert.match(body, `</span><bdi dir="auto">${name}</bdi></span>`)
    assert.match(body, `--fill:${color};`)
  }
})

test('shows the host of the return URL as the merchant name, unless the host is this machine', async () => {
  const hosted = new HostedPages()
  for (const [return_url, isName] of [
    ['https://shop.example:8443/paid', true],
    ['http://127.0.0.1:4200/paid', false],
    ['http://localhost:3000/paid', false],
    ['http://[::1]:3000/paid', false],
  ] as const) {
    const { body } = await hosted.get(pathOf(await hosted.payment({ return_url })))
    assert.is(body.includes(`<bdi dir="auto">${new URL(return_url).host}</bdi></span>`), isName, return_url)
  }
})

test('shows the session branding on its page and result page, and the server branding on error pages', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = SERVER
  const branding = { business_name: 'Harbor Gym', logo: LOGO }
  const path = pathOf(await hosted.payment({ branding }))
  await hosted.submit(path, VISA)
  for (const page of [path, `${path}/done`]) {
    const { body } = await hosted.get(page)
    assert.match(body, '<bdi dir="auto">Harbor Gym</bdi>')
    assert.match(body, `<img class="logo" src="${path}/logo/`)
  }
  assert.match((await hosted.get('/none')).body, '<bdi dir="auto">Server</bdi>')
})

test.run()
