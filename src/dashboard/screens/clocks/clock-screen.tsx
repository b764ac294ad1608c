import type { ScreenProps } from '../../routing/screen-props.ts'
import { ClockLab } from './clock-lab.tsx'
import { ClockList } from './clock-list.tsx'

/** Shows the test clocks, or the time axis of one clock. */
export function ClockScreen({ id }: ScreenProps) {
  return id === null ? <ClockList /> : <ClockLab key={id} id={id} />
}
