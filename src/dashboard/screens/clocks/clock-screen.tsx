import type { ScreenProps } from '../../routing/screen-props.ts'
import { ClockLab } from './clock-lab.tsx'
import { ClockList } from './clock-list.tsx'

/** The test clocks, or the time axis of one. */
export function ClockScreen({ id }: ScreenProps) {
  return id === null ? <ClockList /> : <ClockLab key={id} id={id} />
}
