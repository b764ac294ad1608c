import { api } from '../../../src/api/api.ts'
import { START } from '../../support/sandbox.ts'
import type { PlanChange } from './changes.ts'
import { modelPreview } from './model-summary.ts'
import {
  EMPTY_PLAN,
  idOf,
  isLive,
  type ModelContext,
  type Planners,
  pickFrom,
  planObjectCreation,
  planRequest,
  type StepOf,
} from './plans.ts'
import { restOfPeriod } from './prorations.ts'
import { summarizePreview } from './snapshot-summary.ts'
import type { Item, Subscription } from './state.ts'

/** Plans of changes to the billing of subscriptions. */
export const CHANGE_PLANS = {
  pause: (context, { pick, behavior, seconds }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, isLive)
    if (subscription === null) return EMPTY_PLAN
    const resumes = seconds === null ? null : subscription.customer.clock.now + seconds
    const pause = behavior === null ? null : { behavior, resumes }
    const pause_collection = behavior === null ? null : { behavior, resumes_at: resumes }
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.update, { id, pause_collection }),
      model: (found) => model.update(found, { pause }),
    })
  },
  'create coupon': (context, { terms }) => {
    const { model, sandbox } = context
    const { percent, off, currency, isOnce, months, max } = terms
    const params = {
      ...(percent === null ? { amount_off: off ?? 1, currency } : { percent_off: percent / 100 }),
      ...(months === null ? {} : { duration_in_months: months }),
      ...(max === null ? {} : { max_redemptions: max }),
      duration: isOnce ? 'once' : months === null ? 'forever' : 'repeating',
    } as const
    return planObjectCreation(context, () => model.coupons.at(-1), {
      real: () => sandbox.call(api.coupons.create, params),
      model: () => model.addCoupon(terms),
    })
  },
  'delete coupon': (context, { pick }) => {
    const { model, sandbox } = context
    return planRequest(context, pickFrom(model.coupons, pick), {
      real: (id) => sandbox.call(api.coupons.delete, { id }),
      model: (coupon) => model.deleteCoupon(coupon),
    })
  },
  'create promotion code': (context, { pick, terms }) => {
    const { model, sandbox } = context
    const { max, isFirstOnly, lifetime } = terms
    const coupon = pickFrom(model.coupons, pick)
    if (coupon === null) return EMPTY_PLAN
    const expires = lifetime === null ? null : START + lifetime
    const params = {
      ...{ coupon: idOf(context, coupon), first_time_only: isFirstOnly },
      ...(max === null ? {} : { max_redemptions: max }),
      ...(expires === null ? {} : { expires_at: expires }),
    }
    return planObjectCreation(context, () => model.promotionCodes.at(-1), {
      real: () => sandbox.call(api.promotionCodes.create, params),
      model: () => model.addPromotionCode({ coupon, max, isFirstOnly, expires }),
    })
  },
  'update promotion code': (context, { pick, isActive }) => {
    const { model, sandbox } = context
    return planRequest(context, pickFrom(model.promotionCodes, pick), {
      real: (id) => sandbox.call(api.promotionCodes.update, { id, active: isActive }),
      model: (code) => model.setPromotionCodeActive(code, isActive),
    })
  },
  'give discount': (context, { pick, coupon: picked }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, isLive)
    const coupon = picked === null ? null : pickFrom(model.coupons, picked)
    const discount = coupon && { coupon: idOf(context, coupon) }
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.update, { id, discount }),
      model: (found) => model.update(found, { coupon }),
    })
  },
  'move trial end': (context, { pick, seconds }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, ({ status }) => status === 'trialing')
    if (subscription === null) return EMPTY_PLAN
    const trialEnd = seconds === null ? null : subscription.customer.clock.now + seconds
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.update, { id, trial_end: trialEnd ?? 'now' }),
      model: (found) => model.update(found, { trialEnd }),
    })
  },
  resume: (context, { pick }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, ({ status }) => status === 'paused')
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.resume, { id }),
      model: (found) => model.resume(found),
    })
  },
  'change plan': (context, step) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, step.pick, isLive)
    if (subscription === null) return EMPTY_PLAN
    const change = changeOf(subscription, step)
    const params = paramsOf(context, change)
    return planRequest(context, subscription, {
      real: (id) => sandbox.call(api.subscriptions.update, { id, ...params }),
      model: (found) => model.changePlan(found, change),
    })
  },
  preview: (context, { change: step }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, step.pick, isLive)
    if (subscription === null) return EMPTY_PLAN
    const change = { ...changeOf(subscription, step), isStrict: false }
    const { payment_behavior: _, ...params } = paramsOf(context, change)
    let [found, expected]: [object | null, object | null] = [null, null]
    const plan = planRequest(context, subscription, {
      real: async (id) => {
        found = summarizePreview(await sandbox.call(api.subscriptions.preview, { id, ...params }))
      },
      model: (one) =>
        model.preview(one, change, (preview) => {
          expected = modelPreview(preview)
        }),
    })
    return { ...plan, compared: () => [found, expected] }
  },
  'create item': (context, { pick, unit, quantity, ppm }) => {
    const { model, sandbox } = context
    const subscription = pickFrom(model.subscriptions, pick, isLive)
    if (subscription === null) return EMPTY_PLAN
    const params = {
      ...{ subscription: idOf(context, subscription), description: 'Fee' },
      ...{ unit_amount: unit, quantity, tax_percent: ppm / 10_000 },
    }
    return planObjectCreation(context, () => model.invoiceItems.at(-1), {
      real: () => sandbox.call(api.invoiceItems.create, params),
      model: () => model.createInvoiceItem(subscription, { unit, quantity, ppm }),
    })
  },
  'delete item': (context, { pick }) => {
    const { model, sandbox } = context
    const item = pickFrom(model.invoiceItems, pick, (one) => one.invoice === null && !one.isDeleted)
    return planRequest(context, item, {
      real: (id) => sandbox.call(api.invoiceItems.delete, { id }),
      model: (found) => model.deleteInvoiceItem(found),
    })
  },
} satisfies Planners

/** Returns the change of a step, with each item named once. */
function changeOf(subscription: Subscription, step: StepOf<'change plan'>): PlanChange {
  const { edits, rhythm, startsNow, behavior, share, isStrict } = step
  const named = new Set<Item>()
  return {
    ...{ rhythm, startsNow, behavior, isStrict, date: dateOf(subscription, share) },
    edits: edits.flatMap(({ pick, price }) => {
      const item = pick === null ? null : pickFrom(subscription.terms.items, pick)
      if (item !== null && named.has(item)) return []
      if (item !== null) named.add(item)
      return [{ item, price }]
    }),
  }
}

function dateOf(subscription: Subscription, share: number | null): number | null {
  const { now } = subscription.customer.clock
  if (share === null || subscription.index < 0) return null
  const { start } = restOfPeriod(subscription, now)
  return start + Math.floor(share * Math.max(0, now - start))
}

function paramsOf(context: ModelContext, change: PlanChange) {
  const { edits, rhythm, startsNow, behavior, date, isStrict } = change
  return {
    ...(edits.length === 0
      ? {}
      : { items: edits.map(({ item, price }) => itemParams(context, item, price)) }),
    ...(rhythm === null ? {} : { interval: rhythm.interval, interval_count: rhythm.count }),
    ...(startsNow ? { billing_cycle_anchor: 'now' as const } : {}),
    ...(date === null ? {} : { proration_date: date }),
    ...(isStrict ? { payment_behavior: 'error_if_incomplete' as const } : {}),
    proration_behavior: behavior,
  }
}

function itemParams(context: ModelContext, item: Item | null, price: Partial<Item> | 'deleted') {
  const named = item === null ? { description: 'Extra' } : { id: idOf(context, item) }
  if (price === 'deleted') return { ...named, deleted: true }
  const { unit, quantity, ppm } = price
  const priced = unit === undefined || ppm === undefined ? {} : { amount: unit, tax_percent: ppm / 10_000 }
  return {
    ...named,
    ...(quantity === undefined ? {} : { quantity }),
    ...(unit === undefined ? {} : { price_data: priced }),
  }
}
