import type { Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { DAY, openClockScene, START } from './clock-scene.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard clock lab', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

/** The browser logs the 409 or 400 of a projection when the clock began to advance or failed after the lab had read it. */
const REFUSED_PROJECTION = /status of 4(?:09|00) .*\/v1\/projections\?/

const NO_SUBSCRIPTIONS = { name: 'Empty', subscriptions: [] }

/** Opens the lab of a new clock of the scene. */
async function withLab(
  work: (page: Page, clock: string) => Promise<void>,
  {
    options = {},
    expectedError = REFUSED_PROJECTION,
  }: { options?: Parameters<typeof openClockScene>[1]; expectedError?: RegExp } = {},
): Promise<void> {
  const clock = await openClockScene(dashboard.daemon, options)
  const open = async (page: Page) => {
    await page.getByRole('slider').waitFor()
    await work(page, clock)
  }
  await dashboard.withScreen(`/clocks/${clock}`, open, { expectedError })
}

const dateOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

function timeOf(clock: string): Promise<number> {
  return dashboard.daemon.call(api.testClocks.retrieve, { id: clock }).then((one) => one.frozen_time)
}

test('lists the clocks with time and status', async () => {
  const clock = await openClockScene(dashboard.daemon, { name: '"><img src=x onerror=alert(1)>\u202e' })
  await dashboard.withScreen('/clocks', async (page) => {
    const row = page.locator('tr', { hasText: clock })
    await row.getByText('2026-01-01 08:00:00').waitFor()
    assert.equal(await checkScreen(page), [])
    await row.getByRole('link').first().click()
    await page.getByRole('slider').waitFor()
    assert.match(page.url(), new RegExp(`/clocks/${clock}$`))
  })
})

test('shows past and projected events as dots and as text, without accessibility problems', async () => {
  await withLab(async (page) => {
    await page.locator('.mark .shape-projected').first().waitFor()
    const next = page.getByRole('region', { name: 'Upcoming events' })
    await next.getByText('subscription.renewed').first().waitFor()
    await next.getByText('49.00 EUR').first().waitFor()
    const past = page.getByRole('region', { name: 'Past events' })
    await past.getByText('checkout_session.completed').first().waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('buttons advance the clock to the next event, by a day or by a period, and show the new events', async () => {
  await withLab(async (page, clock) => {
    await page.getByRole('button', { name: 'Next event: 2026-01-12' }).click()
    const past = page.getByRole('region', { name: 'Past events' })
    await past.getByText('2026-01-01 08:00:00 to 2026-01-12 08:00:00: 1 event').waitFor()
    await past.getByText('subscription.trial_will_end').waitFor()
    assert.is(await timeOf(clock), START + 11 * DAY)
    await page.getByRole('button', { name: '+1 day' }).click()
    await past.getByText('2026-01-12 08:00:00 to 2026-01-13 08:00:00: 0 events').waitFor()
    await past.getByText('Nothing happened in this time.').waitFor()
    assert.is(await timeOf(clock), START + 12 * DAY)
    await page.getByRole('button', { name: /\+1 period \(1 month\)/ }).click()
    await past.getByText('2 payments succeeded', { exact: false }).first().waitFor()
    await past.getByRole('button', { name: 'Show all events' }).click()
    await past.getByText('checkout_session.completed').first().waitFor()
  })
})

test('plays a day per second until the user stops it', async () => {
  await withLab(async (page, clock) => {
    const play = page.getByRole('button', { name: 'Play: a day per second' })
    await play.focus()
    await page.keyboard.press('Enter')
    await page.getByText('2026-01-01 08:00:00 to 2026-01-03 08:00:00').waitFor()
    await page.keyboard.press('Enter')
    await play.waitFor()
    const stopped = await timeOf(clock)
    assert.ok(stopped >= START + 2 * DAY && (stopped - START) % DAY === 0)
    await page.locator('main header').getByText('ready').waitFor()
    await page.getByRole('button', { name: 'Next failure: 2026-01-15' }).waitFor()
  })
})

test('stops playing when the clock cannot advance', async () => {
  await withLab(
    async (page) => {
      await page.route(/\/advance$/, (route) =>
        route.fulfill({ status: 400, json: { error: { code: 'test_clock_too_far', message: 'Too far.' } } }),
      )
      await page.getByRole('button', { name: 'Play: a day per second' }).click()
      await page.getByRole('alert').getByText('Too far.').waitFor()
      await page.getByRole('button', { name: 'Play: a day per second' }).waitFor()
    },
    { expectedError: /status of 400/ },
  )
})

test('stops playing when the clock fails between two steps', async () => {
  await withLab(
    async (page, clock) => {
      await page.getByRole('button', { name: 'Play: a day per second' }).click()
      await page.getByText('2026-01-01 08:00:00 to 2026-01-02 08:00:00').waitFor()
      await page.locator('main header').getByText('ready').waitFor()
      await dashboard.daemon.call(api.testClocks.fail, { id: clock })
      await page.getByRole('alert').getByText('This clock has failed').waitFor()
      await page.getByRole('button', { name: 'Play: a day per second' }).waitFor()
    },
    { expectedError: /status of 4(?:09|00) .*\/(?:projections\?|advance)/ },
  )
})

test('jumps to the next payment failure', async () => {
  await withLab(async (page, clock) => {
    await page.getByRole('button', { name: 'Next failure: 2026-01-15' }).click()
    const past = page.getByRole('region', { name: 'Past events' })
    await past.getByText('invoice.payment_failed').first().waitFor()
    assert.is(await timeOf(clock), START + 14 * DAY)
  })
})

test('compares two subscriptions, and restores the view from its link', async () => {
  await withLab(async (page) => {
    await page.getByRole('combobox', { name: 'Subscription' }).selectOption('Team plan · ada@example.com')
    await page.getByLabel('Compare with').selectOption('Pro plan · grace@example.com')
    await page.getByRole('button', { name: 'Year', exact: true }).click()
    await page.getByLabel('Date').fill('2026-03-20')
    await page.getByRole('button', { name: 'Advance to 2026-03-20 08:00:00' }).waitFor()
    const table = page.getByRole('table', { name: 'Comparison' })
    await table.getByText('1 payment succeeded: 49.00 EUR').waitFor()
    assert.equal(await checkScreen(page), [])
    await page.waitForURL(new RegExp(`to=${START + 78 * DAY}`))
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Advance to 2026-03-20 08:00:00' }).waitFor()
    assert.is(await other.locator('.lane-name').count(), 2)
    assert.is(
      await other.getByRole('button', { name: 'Year', exact: true }).getAttribute('aria-pressed'),
      'true',
    )
    assert.is(await other.getByRole('table', { name: 'Comparison' }).locator('tbody tr').count(), 2)
  })
})

test('advances by months from the 31st to the last day of each month', async () => {
  await withLab(
    async (page, clock) => {
      await dashboard.daemon.call(api.testClocks.advance, { id: clock, frozen_time: START + 30 * DAY })
      for (const days of [58, 89]) {
        await page.getByRole('button', { name: '+1 month' }).click()
        await page.getByText(new RegExp(`:00 to ${dateOf(START + days * DAY)} 08:00:00`)).waitFor()
        assert.is(await timeOf(clock), START + days * DAY)
      }
    },
    { options: NO_SUBSCRIPTIONS },
  )
})

test('the keyboard moves the handle, but not before the current time, and Enter advances the clock', async () => {
  await withLab(async (page, clock) => {
    const slider = page.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('A clock cannot go back').waitFor()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('ArrowRight')
    const text = await slider.getAttribute('aria-valuetext')
    assert.match(text ?? '', /^2026-02-02 08:00:00 UTC, in 32 days/)
    assert.is(await page.getByText('A clock cannot go back').count(), 0)
    await page.getByRole('button', { name: 'Advance to 2026-02-02 08:00:00' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2026-01-01 08:00:00 to 2026-02-02 08:00:00', { exact: false }).waitFor()
    assert.is(await timeOf(clock), START + 32 * DAY)
  })
})

test('advances the clock when the handle is dragged to the right and released, but not to the left', async () => {
  await withLab(async (page, clock) => {
    const grip = page.locator('.axis-handle-grip')
    const drag = async (distance: number) => {
      const box = await grip.boundingBox()
      const [x, y] = [(box?.x ?? 0) + 14, (box?.y ?? 0) + 13]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + distance, y, { steps: 4 })
    }
    await drag(-40)
    await page.getByText('A clock cannot go back').waitFor()
    await page.mouse.up()
    assert.is(await timeOf(clock), START)
    await drag(300)
    await page.getByText('Release to advance to').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.is(await timeOf(clock), START)
    await drag(300)
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show all events' }).waitFor()
    await page.getByText('Advancing to').waitFor({ state: 'hidden' })
    assert.ok((await timeOf(clock)) > START)
  })
})

test('advances the clock to an entered date', async () => {
  await withLab(async (page, clock) => {
    await page.getByLabel('Date').fill('2026-01-20')
    await page.getByRole('button', { name: 'Advance to 2026-01-20 08:00:00' }).click()
    await page.getByText('2026-01-01 08:00:00 to 2026-01-20 08:00:00', { exact: false }).waitFor()
    assert.is(await timeOf(clock), START + 19 * DAY)
  })
})

test('arrow keys move between dots and show the events of the focused dot', async () => {
  await withLab(async (page) => {
    await page.locator('.mark .shape-projected').first().waitFor()
    await page.locator('.mark[tabindex="0"]').focus()
    const card = page.locator('.mark-card')
    await card.getByText('2026-01-01 08:00:00').waitFor()
    await page.keyboard.press('ArrowRight')
    await card.getByText('projected').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    await card.getByText('2026-01-01 08:00:00').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
  })
})

test('collapses many subscriptions, and keeps zoom and lanes in the URL', async () => {
  const hostile = '<img src=x onerror=alert(1)>'.padEnd(200, 'x')
  const subscriptions = Array.from({ length: 8 }, (_, index) => ({
    ...{ description: `${hostile}${index}`, email: `user${index}@example.com`, card: 'visa', amount: 100 },
  }))
  const work = async (page: Page) => {
    await page.getByText('2 more subscriptions').waitFor()
    await page.getByRole('button', { name: 'Show all 8 subscriptions' }).click()
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    await page.getByRole('button', { name: 'Later' }).click()
    assert.match(page.url(), /lanes=all/)
    assert.match(page.url(), /zoom=month/)
    assert.is(await page.locator('.lane-name').count(), 9)
    assert.equal(await checkScreen(page), [])
  }
  await withLab(work, { options: { name: 'Many', subscriptions } })
})

test('shows instructions on the screen of a failed clock and of a clock without events', async () => {
  const { daemon } = dashboard
  await withLab(
    async (page, clock) => {
      await page.getByText('Nothing happened on this clock yet').waitFor()
      await daemon.call(api.testClocks.fail, { id: clock })
      await page.getByText('This clock has failed').waitFor()
      await page.getByText(`paycli clock delete ${clock}`).waitFor()
      assert.ok(await page.getByRole('button', { name: '+1 day' }).isDisabled())
      assert.equal(await checkScreen(page), [])
    },
    { options: NO_SUBSCRIPTIONS },
  )
})

test('shows the progress of an advance that another client started', async () => {
  await withLab(async (page, clock) => {
    await page.locator('.mark .shape-projected').first().waitFor()
    await dashboard.daemon.call(api.testClocks.advance, { id: clock, frozen_time: START + 40 * DAY })
    await page.locator('main header').getByText('2026-02-10 08:00:00').waitFor()
    await page.getByRole('region', { name: 'Past events' }).getByText('invoice.paid').first().waitFor()
  })
})

test.run()
