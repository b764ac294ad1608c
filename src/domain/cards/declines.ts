/** The recommended next steps after a decline. */
export const DECLINE_ADVICE = ['try_again_later', 'update_card', 'do_not_retry', 'authenticate'] as const

export type DeclineAdvice = (typeof DECLINE_ADVICE)[number]

interface DeclineReason {
  readonly retryable: boolean
  readonly advice: DeclineAdvice
  readonly message: string
  /** Whether the decline forbids automatic retries with the same card. */
  readonly isHard?: true
}

const DECLINED: DeclineReason = {
  retryable: true,
  advice: 'try_again_later',
  message: 'Your card was declined. Try another card, or ask your bank why.',
}

// Never reveal that a card is reported lost, stolen or suspicious: a thief would see the message too.
const BLOCKED: DeclineReason = {
  retryable: false,
  advice: 'do_not_retry',
  isHard: true,
  message: 'Your card was declined. Use another card.',
}

const ERROR_REASONS = {
  card_declined: DECLINED,
  processing_error: {
    ...DECLINED,
    message: 'An error occurred while your card was processed. Try again in a moment.',
  },
  expired_card: {
    retryable: false,
    isHard: true,
    advice: 'update_card',
    message: 'Your card has expired. Use another card.',
  },
  incorrect_number: {
    retryable: false,
    isHard: true,
    advice: 'update_card',
    message: 'Your card number is incorrect. Check the number and enter it again.',
  },
  incorrect_cvc: {
    retryable: true,
    advice: 'update_card',
    message: "Your card's security code is incorrect. Check the code and enter it again.",
  },
  authentication_required: {
    retryable: false,
    isHard: true,
    advice: 'authenticate',
    message: 'Your bank asks you to confirm this payment. Pay again and confirm it when asked.',
  },
  authentication_failed: {
    retryable: true,
    advice: 'authenticate',
    message:
      'You were not authenticated, so nothing was paid. Pay again and confirm it, or use another card.',
  },
} as const satisfies Readonly<Record<string, DeclineReason>>

const DECLINE_REASONS = {
  generic_decline: DECLINED,
  insufficient_funds: { ...DECLINED, message: 'Your card has insufficient funds. Try another card.' },
  card_velocity_exceeded: {
    ...DECLINED,
    message: 'Your card was used too often or over its limit. Try again later, or use another card.',
  },
  lost_card: BLOCKED,
  stolen_card: BLOCKED,
  pickup_card: BLOCKED,
  fraudulent: BLOCKED,
  do_not_retry: BLOCKED,
  not_a_test_card: {
    retryable: false,
    advice: 'update_card',
    message: 'This card number is not a test card, and no real card can be charged here. Use a test card.',
  },
} as const satisfies Readonly<Record<string, DeclineReason>>

export type CardErrorCode = keyof typeof ERROR_REASONS
export type DeclineCode = keyof typeof DECLINE_REASONS

const REASON_BY_CODE: ReadonlyMap<string, DeclineReason> = new Map(
  Object.entries({ ...ERROR_REASONS, ...DECLINE_REASONS }),
)

/** Returns whether a decline forbids automatic retries with the same card, following Stripe's decline codes. */
export function isHardDecline(code: string, declineCode: string | null): boolean {
  return [code, declineCode].some((one) => REASON_BY_CODE.get(one ?? '')?.isHard)
}

/**
 * Returns the message for the cardholder in English, whether the same card may succeed later, and the advice for the
 * merchant. The advice follows Stripe's advice codes.
 */
export function getDeclineExplanation(
  code: string,
  declineCode: string | null,
): Omit<DeclineReason, 'isHard'> {
  const reason = REASON_BY_CODE.get(declineCode ?? code) ?? REASON_BY_CODE.get(code) ?? DECLINED
  const { message, retryable, advice } = reason
  return { message, retryable, advice }
}
