import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'

function isSettled({ status }: WebhookDelivery): boolean {
  return status === 'succeeded' || status === 'failed'
}

/**
 * The end of the logarithmic latency axis, which begins at 1 ms. No latency is higher, because deliveries time out
 * after 15 s.
 */
export const MAX_LATENCY_MS = 30_000

/** Returns the height of a latency in the plot, 0 to 1. */
export function getLatencyPosition(milliseconds: number): number {
  const position = Math.log(Math.max(1, milliseconds)) / Math.log(MAX_LATENCY_MS)
  return Math.min(1, position)
}

/**
 * Returns the points of attempts by time and latency. Coordinates are from 0 to 1: left to right, and bottom to top. An
 * attempt that sent no request is at the bottom.
 */
export function createDeliveryPoints(deliveries: readonly WebhookDelivery[]) {
  const settled = deliveries.filter(isSettled)
  const times = settled.map(({ created }) => created)
  const first = Math.min(...times)
  const range = Math.max(...times) - first
  return settled.map((delivery) => ({
    x: range === 0 ? 0.5 : (delivery.created - first) / range,
    y: getLatencyPosition(delivery.duration_ms ?? 0),
    delivery,
  }))
}
