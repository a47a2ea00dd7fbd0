import { assertNever } from '../shared/base/assert-never.ts'

export const placeholder = assertNever
