import { useEffect, useState } from 'preact/hooks'
import { type CalendarDuration, getTimeAfterStep } from '../../../domain/time/clock-steps.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { CopyButton, CopyText } from '../../components/copy-text.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { ErrorNote, LoadNote } from '../../components/placeholders.tsx'
import { StatusBadge, UtcTime } from '../../components/values.tsx'
import { post } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { setFilters, useFilters, useRoute } from '../../routing/router.ts'
import { findFirstEndingPeriod, getLatestTarget } from './advance-targets.ts'
import { ClockControls, type ClockPlayer } from './clock-controls.tsx'
import { ClockEventLists } from './clock-event-lists.tsx'
import { ClockMonths } from './clock-months.tsx'
import { ADVANCE_ERROR_HINTS, AdvanceProgress, ClockStatusNote, NoRewindNote } from './clock-notes.tsx'
import { ClockPlot } from './clock-plot.tsx'
import { LaneFilters } from './lane-filters.tsx'
import { type ClockData, useClockTimeline } from './use-clock-timeline.ts'

/** Shows the time axis of a clock and the controls that advance the clock. */
export function ClockLab({ id }: { readonly id: string }) {
  const target = Number(useRoute().query.get('to') ?? 0)
  const data = useClockTimeline(id, target)
  const { clock } = data
  if (clock.data === null)
    return (
      <div class="stack">
        <h1 class="id">{id}</h1>
        <LoadNote {...clock} />
      </div>
    )
  return <LoadedLab clock={clock.data} data={data} target={target} />
}

interface LoadedLabProps {
  readonly clock: TestClock
  readonly data: ClockData
  /** The selected time from the URL, to which the user may advance the clock. */
  readonly target: number
}

const ONE_DAY = { interval: 'day', count: 1 } as const
const PLAY_MS = 1000
/** Interval between changes of the URL, because browsers limit their frequency. */
const URL_MS = 200

function LoadedLab({ clock, data: all, target: linked }: LoadedLabProps) {
  const { id, frozen_time: now, status } = clock
  const { values } = useFilters(['subscription', 'compared'])
  const selected = all.lanes.filter(({ id: one }) => one !== null && Object.values(values).includes(one))
  const data = selected.length === 0 ? all : { ...all, lanes: selected }
  const { past, projected, lanes } = data
  const { reload } = data.clock
  const [chosen, setChosen] = useState<number | null>(
    linked > now ? Math.min(linked, getLatestTarget(now)) : null,
  )
  const [isBack, setBack] = useState(false)
  const since = Number(useRoute().query.get('since') ?? Number.NaN)
  const { isRunning, error, run } = useAction((at: number, step?: CalendarDuration) =>
    post(
      `/v1/test_helpers/test_clocks/${id}/advance`,
      step === undefined ? { frozen_time: at } : { by: step },
    )
      .catch((cause: unknown) => {
        player.stop()
        throw cause
      })
      .finally(() => {
        setChosen(null)
        reload()
      }),
  )
  // Another client may have started an advance, whose target counts too.
  const goal = (isRunning ? chosen : null) ?? clock.status_details.advancing?.target_frozen_time ?? null
  const isDisabled = goal !== null || status !== 'ready'
  const target = goal ?? Math.max(chosen ?? now, now)
  const changeTarget = (at: number) => {
    if (at > now) setBack(false)
    setChosen(at > now ? Math.min(at, getLatestTarget(now)) : null)
  }
  const start = (at: number, step?: CalendarDuration) => {
    if (isDisabled) return
    setBack(false)
    setChosen(at)
    if (!player.isPlaying) setFilters({ since: String(now) })
    run(at, step)
  }
  const isOver = status === 'internal_failure' || status === 'deleting'
  const player = usePlayer(
    isDisabled ? null : () => start(getTimeAfterStep(clock, ONE_DAY), ONE_DAY),
    isOver ? null : now,
  )
  useLinkedTarget(isRunning ? null : chosen)
  const recent = goal === null ? [] : (past ?? []).filter(({ created }) => created > now)
  const reached = goal === null ? null : (recent.at(-1)?.created ?? now)
  const control = {
    ...{ now, target, reached, isDisabled, onTarget: changeTarget, onAdvance: start },
    onBack: () => setBack(true),
  }
  return (
    <div class="stack">
      <ClockTitle clock={clock} isAdvancing={goal !== null} />
      <section class="panel stack" aria-label="Time">
        <ClockControls
          {...{ ...control, clock, projected, player }}
          period={findFirstEndingPeriod(
            lanes.map(({ subscription }) => subscription).filter((one) => one !== null),
          )}
        />
        <LaneFilters all={all.lanes} selected={selected} />
        <ClockPlot {...{ ...control, data }} />
        {goal !== null && (
          <AdvanceProgress from={now} to={goal} reached={reached ?? now} count={recent.length} />
        )}
        {isBack && <NoRewindNote now={now} />}
        {error !== null && <ErrorNote error={error} hint={ADVANCE_ERROR_HINTS[error.code] ?? null} />}
        <ClockStatusNote clock={clock} />
        {data.errors.map((one) => (
          <ErrorNote key={one.message} error={one} onRetry={reload} />
        ))}
      </section>
      <ClockMonths clock={clock} />
      <ClockEventLists data={data} now={now} since={Number.isFinite(since) ? since : null} />
      <ObjectCommands id={id}>
        {target > now && (
          <CopyText text={`paycli clock advance ${id} --to ${new Date(target * 1000).toISOString()}`} />
        )}
      </ObjectCommands>
    </div>
  )
}

/**
 * Plays the clock: calls `advance` one second after each change of the clock time. While `advance` is null, the hook
 * waits for the running advance. When `now` is null, the hook stops, because the clock can no longer advance.
 */
function usePlayer(advance: (() => void) | null, now: number | null): ClockPlayer {
  const [isPlaying, setPlaying] = useState(false)
  const isWaiting = advance === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time of the clock has one step.
  useEffect(() => {
    if (now === null) setPlaying(false)
    if (!isPlaying || advance === null) return
    const timer = setTimeout(advance, PLAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isWaiting, now])
  const start = () => {
    setFilters({ since: String(now) })
    setPlaying(true)
  }
  return { isPlaying, start, stop: () => setPlaying(false) }
}

/** Keeps the selected time in the URL. */
function useLinkedTarget(target: number | null): void {
  useEffect(() => {
    const timer = setTimeout(() => setFilters({ to: target === null ? '' : String(target) }), URL_MS)
    return () => clearTimeout(timer)
  }, [target])
}

function ClockTitle({ clock, isAdvancing }: { readonly clock: TestClock; readonly isAdvancing: boolean }) {
  const { id, name, frozen_time, status } = clock
  return (
    <header class="row spread">
      <div>
        <h1>{name === null ? 'Test clock' : <bdi>{name}</bdi>}</h1>
        <p class="id quiet">{id}</p>
      </div>
      <p class="row">
        <strong>
          <UtcTime at={frozen_time} /> UTC
        </strong>
        <StatusBadge status={isAdvancing ? 'advancing' : status} />
        <CopyButton text={window.location.href} label="Copy link" />
      </p>
    </header>
  )
}
