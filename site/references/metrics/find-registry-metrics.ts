import ts from 'typescript';
import { evaluateText, readProperty } from '../source-code/evaluate-text.ts';
import type { Program } from '../source-code/load-program.ts';

/** A metric of the service, as the code declares it. */
export interface RegistryMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const TYPES: Readonly<Record<string, RegistryMetric['type']>> = {
  Counter: 'counter',
  Gauge: 'gauge',
  Histogram: 'histogram',
};

/**
 * Every metric that `server` makes, in alphabetical order.
 * @throws TypeError for one whose name or help cannot be read from the code
 */
export function findRegistryMetrics(program: Program): RegistryMetric[] {
  const found: RegistryMetric[] = [];
  const visit = (node: ts.Node): void => {
    const metric = ts.isNewExpression(node) ? readMetric(node, program) : undefined;
    if (metric) found.push(metric);
    ts.forEachChild(node, visit);
  };
  for (const file of program.files) if (program.fileOf(file).startsWith('server/')) visit(file);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readMetric(node: ts.NewExpression, program: Program): RegistryMetric | undefined {
  const type = TYPES[node.expression.getText()];
  const options = node.arguments?.[0];
  if (!type || !options || !ts.isObjectLiteralExpression(options)) return undefined;
  const read = (key: string): string => {
    const value = readProperty(options, key);
    const texts = value ? evaluateText(value, undefined, { program, isExact: true }) : [];
    if (texts.length !== 1 || texts[0]?.startsWith('{'))
      throw new TypeError(`${program.fileOf(node)}: the ${key} of a metric cannot be read`);
    return texts[0] ?? '';
  };
  return {
    name: read('name'),
    type,
    labels: readLabels(readProperty(options, 'labelNames')),
    help: read('help'),
  };
}

function readLabels(value: ts.Expression | undefined): string[] {
  const list = value && ts.isAsExpression(value) ? value.expression : value;
  if (!list || !ts.isArrayLiteralExpression(list)) return [];
  return list.elements.filter(ts.isStringLiteral).map((element) => element.text);
}
