import type { ComponentType } from 'preact'
import { ClockLab } from '../screens/clocks/clock-lab.tsx'
import { DeliveriesScreen } from '../screens/deliveries/deliveries-screen.tsx'
import { GradeScreen } from '../screens/grade/grade-screen.tsx'
import { LiveScreen } from '../screens/live/live-screen.tsx'
import { ObjectList } from '../screens/objects/object-list.tsx'
import { PaymentsScreen } from '../screens/payments/payments-screen.tsx'
import { RequestsScreen } from '../screens/requests/requests-screen.tsx'
import { ScenesScreen } from '../screens/scenes/scenes-screen.tsx'
import { SignedInBrowsersScreen } from '../screens/sessions/sessions-screen.tsx'

/** A screen of the dashboard; its folder is the first segment of its URL. */
interface Screen {
  readonly folder: string
  readonly title: string
  readonly component: ComponentType
  /** Shows the object of a URL such as `/clocks/clock_…` (default: `ObjectScreen`). */
  readonly object?: ComponentType<{ readonly id: string }>
}

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { folder: 'live', title: 'Live', component: LiveScreen },
  { folder: 'payments', title: 'Payments', component: PaymentsScreen },
  { folder: 'customers', title: 'Customers', component: () => <ObjectList only="customers" /> },
  {
    ...{ folder: 'clocks', title: 'Clock lab', object: ClockLab },
    component: () => <ObjectList only="test_clocks" />,
  },
  { folder: 'webhooks', title: 'Webhooks', component: DeliveriesScreen },
  { folder: 'requests', title: 'Requests', component: RequestsScreen },
  { folder: 'scenes', title: 'Scenes', component: ScenesScreen },
  { folder: 'grade', title: 'Grade', component: GradeScreen },
  { folder: 'sessions', title: 'Sessions', component: SignedInBrowsersScreen },
  { folder: 'objects', title: 'Objects', component: () => <ObjectList /> },
]
