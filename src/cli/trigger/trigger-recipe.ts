import { findResourceByObjectName, findResourceOfId, type ObjectName } from '../../api/resources/catalog.ts'
import type { RecipeStep } from './trigger-steps.ts'

/** The requests that cause an event. */
export type TriggerRecipe = ReturnType<typeof createRecipe>

/**
 * Creates a recipe. `--id` may also name the customer or the test clock of its steps, but not the object that the last
 * step creates.
 */
export function createRecipe(
  how: string,
  steps: readonly RecipeStep[],
  accepted: readonly ObjectName[] = [],
  stepsWithCard?: readonly RecipeStep[],
) {
  const names = steps.map(({ name }) => name)
  const clock = names.includes('customer') || names.includes('test_clock') ? ['test_clock'] : []
  const owners = [...names.filter((name) => name === 'customer'), ...clock]
  const card = stepsWithCard === undefined ? [] : ['payment_method']
  return {
    /** The description of the trigger in `paycli trigger --list`. */
    how,
    steps,
    /** The steps for a saved card given by `--id`. */
    stepsWithCard,
    /** The names of the objects that `--id` can name in place of a new object. */
    accepts: [...owners.filter((owner) => owner !== names.at(-1)), ...accepted, ...card],
    /**
     * The names of the objects that the recipe creates, in order. Overrides can change the parameters of these objects.
     */
    makes: listCreatedObjectTypes(steps),
  }
}

/** Returns the names of the objects that steps create. */
export function listCreatedObjectTypes(steps: readonly RecipeStep[]): string[] {
  return steps
    .filter(({ name, path }) => path === findResourceByObjectName(name)?.path)
    .map(({ name }) => name)
}

/** Returns the steps that run with the object given by `--id`, which replaces a step and all steps before it. */
export function listStepsForId(
  id: string,
  { steps, stepsWithCard = steps }: TriggerRecipe,
): readonly RecipeStep[] {
  const object = findResourceOfId(id)?.object
  const own = object === 'payment_method' ? stepsWithCard : steps
  return own.slice(own.findIndex(({ name }) => name === object) + 1)
}
