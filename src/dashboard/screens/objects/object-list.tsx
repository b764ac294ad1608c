import {
  getResource,
  RESOURCES,
  type ResourceKind,
  type ResourceName,
} from '../../../api/resources/catalog.ts'
import { EVENT_DESCRIPTIONS, hasEventTypes } from '../../../domain/core/event-types.ts'
import { humanizeName } from '../../../presentation/words.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { createFieldColumn, ObjectLink } from '../../components/values.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { EMAIL_PATTERN, findObjectMatch } from '../../data/search-matching.ts'
import { useList } from '../../data/use-list.ts'
import { DEFAULT_SANDBOX_ID, useFilters, useRoute } from '../../routing/router.ts'

// API keys have no screen, and the list of saved cards needs a customer.
const LISTED = RESOURCES.filter(({ name, listPath }) => name !== 'api_keys' && !listPath.includes(':'))
const DEFAULT: ResourceName = 'subscriptions'
/** Columns that the catalog omits because a terminal is narrow. */
const MORE_COLUMNS: Partial<Readonly<Record<ResourceName, readonly string[]>>> = {
  customers: ['default_payment_method', 'test_clock', 'balances'],
}

/** Returns the columns of the catalog for a table. The id comes last, because other columns are more useful. */
function columnsOf({ name, columns }: ResourceKind): readonly DataTableColumn<ApiObject>[] {
  const [id = 'id', first = 'created', ...rest] = [...columns, ...(MORE_COLUMNS[name] ?? [])]
  const { label, cell } = createFieldColumn<ApiObject>(first)
  const link = {
    label,
    cell: (object: ApiObject, at: number) => <ObjectLink id={object.id}>{cell(object, at)}</ObjectLink>,
  }
  return [link, ...[...rest, id].map((path) => createFieldColumn<ApiObject>(path))]
}

/** Lists the objects of one type, or of a type that the user selects, with the table columns of the command line. */
export function ObjectList({ only }: { readonly only?: ResourceName }) {
  const { values } = useFilters(['type', 'q'])
  const isDefault = useRoute().sandbox === DEFAULT_SANDBOX_ID
  // Only the default sandbox has a list of sandboxes.
  const listed = LISTED.filter(({ name }) => isDefault || name !== 'sandboxes')
  const choices = listed.map(({ name }) => [name === DEFAULT ? '' : name, humanizeName(name)] as const)
  const resource = listed.find(({ name }) => name === (only ?? values.type)) ?? getResource(DEFAULT)
  const { name, object, topic, listPath } = resource
  const trigger = Object.keys(EVENT_DESCRIPTIONS).find((type) => type.startsWith(`${object}.`))
  const text = values.q
  const list = useList<ApiObject>({
    path: `/v1/${listPath}`,
    // The API searches all customers for a complete email address; any other text is searched page by page.
    query: name === 'customers' && EMAIL_PATTERN.test(text) ? { email: text } : {},
    search: text,
    isWanted: (one) => text === '' || findObjectMatch(text, one) !== null,
    isRelevant: (entry) =>
      entry.object === object || (entry.object === 'event' && entry.type.startsWith(`${object}.`)),
    isPolled: !hasEventTypes(resource),
  })
  return (
    <div class="stack">
      <h1>{only === undefined ? 'Objects' : humanizeName(only)}</h1>
      <FilterBar
        fields={[
          ...(only === undefined ? [{ name: 'type', label: 'Type', choices, isScope: true }] : []),
          { name: 'q', label: 'Text, id or amount' },
        ]}
      />
      <ListView
        {...{ list, noun: humanizeName(object).toLowerCase(), isFiltered: text !== '' }}
        columns={columnsOf(resource)}
        empty={
          <EmptyState
            title={`No ${humanizeName(name).toLowerCase()} yet`}
            command={trigger === undefined ? `paycli ${topic} --help` : `paycli trigger ${trigger}`}
          />
        }
      />
    </div>
  )
}
