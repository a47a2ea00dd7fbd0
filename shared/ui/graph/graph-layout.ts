import type { GraphNode } from './graph-model.ts'

export const NODE_WIDTH = 244
export const NODE_HEIGHT = 46
const ROW_GAP = 10
const COLUMN_GAP = 40
const BAND_HEIGHT = 26
const MARGIN = 16
const CORNER = 8

/** A node in its place, in pixels from the top left of the picture. */
export type PlacedNode = {
  readonly node: GraphNode
  readonly x: number
  readonly y: number
  /** 0 for the application. */
  readonly depth: number
  readonly parent: string | undefined
  /** Counts from 1 among its siblings. */
  readonly position: number
  readonly siblings: number
}

export type Edge = {
  readonly id: string
  readonly path: string
  readonly loud: boolean
  readonly top: number
  readonly bottom: number
}

/** The words over the objects of one wave. */
export type Band = { readonly label: string; readonly x: number; readonly y: number }

export type GraphLayout = {
  /** From top to bottom as a reader meets them: each node before what is below it. */
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly Edge[]
  readonly bands: readonly Band[]
  readonly width: number
  readonly height: number
}

type Drawing = { nodes: PlacedNode[]; edges: Edge[]; bands: Band[]; bottom: number; right: number }

/** Left to right: each level has its column, each leaf its row, a parent stands beside its first child. */
export function layoutGraph(root: GraphNode): GraphLayout {
  const drawing: Drawing = { nodes: [], edges: [], bands: [], bottom: MARGIN, right: 0 }
  const waves = new Set(root.children.map(({ wave }) => wave))
  place(drawing, root, { depth: 0, parent: undefined, position: 1, siblings: 1 }, waves.size > 1)
  const { nodes, edges, bands, bottom, right } = drawing
  return { nodes, edges, bands, width: right + MARGIN, height: bottom - ROW_GAP + MARGIN }
}

type Where = Pick<PlacedNode, 'depth' | 'parent' | 'position' | 'siblings'>

function place(drawing: Drawing, node: GraphNode, where: Where, banded: boolean): PlacedNode {
  const children = node.open ? node.children : []
  const x = MARGIN + where.depth * (NODE_WIDTH + COLUMN_GAP)
  const first = banded && children.length > 0 ? drawing.bottom + BAND_HEIGHT : drawing.bottom
  const placed: PlacedNode = { node, x, y: first, ...where }
  drawing.nodes.push(placed)
  drawing.right = Math.max(drawing.right, x + NODE_WIDTH)
  let wave: number | undefined
  for (const [index, child] of children.entries()) {
    if (banded && child.wave !== wave) {
      wave = child.wave
      drawing.bands.push({ label: `wave ${wave}`, x: x + NODE_WIDTH + COLUMN_GAP, y: drawing.bottom })
      drawing.bottom += BAND_HEIGHT
    }
    const below = { depth: where.depth + 1, parent: node.id, position: index + 1, siblings: children.length }
    const { y } = place(drawing, child, below, false)
    drawing.edges.push({
      id: `${node.id}>${child.id}`,
      path: edgePath({ x: x + NODE_WIDTH, y: placed.y }, { x: x + NODE_WIDTH + COLUMN_GAP, y }),
      loud: child.loud,
      top: placed.y,
      bottom: y + NODE_HEIGHT,
    })
  }
  drawing.bottom = Math.max(drawing.bottom, placed.y + NODE_HEIGHT + ROW_GAP)
  return placed
}

type Point = { readonly x: number; readonly y: number }

/** Straight where both are on one row, else down a trunk and around two corners. */
function edgePath(from: Point, to: Point): string {
  const start = from.y + NODE_HEIGHT / 2
  const end = to.y + NODE_HEIGHT / 2
  if (start === end) return `M${from.x} ${start}H${to.x}`
  const trunk = from.x + COLUMN_GAP / 2
  return (
    `M${from.x} ${start}H${trunk - CORNER}Q${trunk} ${start} ${trunk} ${start + CORNER}` +
    `V${end - CORNER}Q${trunk} ${end} ${trunk + CORNER} ${end}H${to.x}`
  )
}

/** What of a picture lies between two heights. Of a long edge only its ends are looked at: it crosses everything between. */
export function between(
  { nodes, edges, bands }: GraphLayout,
  top: number,
  bottom: number,
): Omit<GraphLayout, 'width' | 'height'> {
  return {
    nodes: nodes.filter(({ y }) => y + NODE_HEIGHT >= top && y <= bottom),
    edges: edges.filter((edge) => edge.bottom >= top && edge.top <= bottom),
    bands: bands.filter(({ y }) => y + BAND_HEIGHT >= top && y <= bottom),
  }
}

/** What an arrow key leads to from a node; undefined where there is nothing that way. */
export function neighbour(layout: GraphLayout, id: string, key: string): PlacedNode | undefined {
  const at = layout.nodes.findIndex(({ node }) => node.id === id)
  const here = layout.nodes[at]
  if (here === undefined) return layout.nodes[0]
  switch (key) {
    case 'ArrowDown':
      return layout.nodes[at + 1]
    case 'ArrowUp':
      return layout.nodes[at - 1]
    case 'ArrowRight':
      return layout.nodes.find(({ parent }) => parent === here.node.id)
    case 'ArrowLeft':
      return layout.nodes.find(({ node }) => node.id === here.parent)
    case 'Home':
      return layout.nodes[0]
    case 'End':
      return layout.nodes.at(-1)
    default:
      return undefined
  }
}
