import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '../../../src/api/api.ts'
import { toGradeJson } from '../../../src/cli/grade/grade-report.ts'
import { writeLastGrade } from '../../../src/daemon/last-grade.ts'
import { createReport } from '../../cli/grade/report-samples.ts'
import { createLogin } from '../../support/dashboard.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard grade screen', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

test('shows the report of a run that ends while the screen is open, worst finding first', () =>
  dashboard.withScreen('/grade', async (page) => {
    await page.getByText('No integration was graded yet').waitFor()
    await page.getByRole('button', { name: 'Copy: paycli grade -- node app.js' }).waitFor()
    const report = { ...toGradeJson(createReport()), folder: '/home/ada/shop' }
    await writeLastGrade(dashboard.daemon.home, report, () => 'test')
    await page.getByText('2 findings').waitFor()
    await page.getByText('/home/ada/shop').waitFor()
    const rows = await page.locator('tbody tr').allInnerTexts()
    assert.match(
      rows.join('; ').replaceAll(/\s+/g, ' '),
      /Money failed 2 1; Life of a subscription not tried 0 0/,
    )
    const findings = page.locator('article.panel')
    assert.equal(await findings.locator('.badge').allTextContents(), ['high', 'medium'])
    const first = findings.first()
    await first.getByText('printed ').waitFor()
    await first.getByText('Subtract them').waitFor()
    await first.getByRole('button', { name: 'Copy: paycli grade --only money -- node app.js' }).waitFor()
    await page.getByText('Add "access".').waitFor()
    assert.equal(await checkScreen(page), [])
    const address = await first.getByRole('link', { name: 'Guide' }).getAttribute('href')
    assert.is(address, '/docs/guides/grade#money')
  }))

test('shows the fix of a damaged report, and then the new report', () =>
  dashboard.withScreen('/grade', async (page) => {
    writeFileSync(join(dashboard.daemon.home, 'grade.json'), '{"classes": [')
    await page.getByText('grade.json is damaged. Run paycli grade again: it replaces the file.').waitFor()
    assert.equal(await checkScreen(page), [])
    const report = { ...toGradeJson(createReport()), folder: '/home/ada/shop' }
    await writeLastGrade(dashboard.daemon.home, report, () => 'test')
    await page.getByText('2 findings').waitFor()
    assert.is(await page.getByText('is damaged').count(), 0)
  }))

test('shows no report to a browser that a key of another sandbox signed in', async () => {
  const { api_key } = await dashboard.daemon.call(api.sandboxes.create, { name: 'own' })
  await writeLastGrade(dashboard.daemon.home, toGradeJson(createReport()), () => 'test')
  const page = await dashboard.browser.newPage()
  await page.goto(await createLogin(dashboard.daemon, api_key))
  await page.getByRole('link', { name: 'Grade' }).click()
  await page.getByText('Reports are shown to browsers that a key of the sandbox default signed in.').waitFor()
  assert.equal(await checkScreen(page), [])
  await page.close()
})

test.run()
