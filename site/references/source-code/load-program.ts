import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../root.ts';

/** The rooms whose code is read. */
const ROOMS = ['sources', 'server', 'cli'];

export type Call = ts.CallExpression | ts.NewExpression;

/** The code of the rooms with its types, and who calls what. */
export interface Program {
  readonly files: readonly ts.SourceFile[];
  readonly checker: ts.TypeChecker;
  /** Every call of a named function or constructor. */
  listCalls(declaration: ts.SignatureDeclaration): readonly Call[];
  /** The object literals that are written where a type is expected, in the file of that type. */
  listLiterals(type: ts.Symbol): readonly ts.ObjectLiteralExpression[];
  /** The path of a node's file from the root of the repository. */
  fileOf(node: ts.Node): string;
}

/**
 * Reads the code of all rooms. Packages stay outside, which makes it a matter of one or two seconds: what has its type
 * from a package is `any` here.
 */
export function loadProgram(): Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from) => literals.map(({ text }) => resolveOwn(text, from));
  const names = ROOMS.flatMap((room) => listTypeScript(join(ROOT, room)));
  const program = ts.createProgram(names, options, host);
  const checker = program.getTypeChecker();
  const files = names.map((name) => program.getSourceFile(name)).filter((file) => file !== undefined);
  const calls = indexCalls(files);
  return {
    files,
    checker,
    listCalls: (declaration) =>
      (calls.get(nameOf(declaration) ?? '') ?? []).filter(
        (call) => checker.getResolvedSignature(call)?.declaration === declaration,
      ),
    listLiterals: (type) => listLiterals(type, checker),
    fileOf: (node) => relative(ROOT, node.getSourceFile().fileName),
  };
}

function resolveOwn(text: string, from: string): ts.ResolvedModuleWithFailedLookupLocations {
  const own = text.startsWith('.') && text.endsWith('.ts');
  const path = join(dirname(from), text);
  return {
    resolvedModule:
      own && ts.sys.fileExists(path)
        ? { resolvedFileName: path, extension: ts.Extension.Ts, isExternalLibraryImport: false }
        : undefined,
  };
}

function listTypeScript(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Calls by the name that is called: signatures are resolved for the few that are asked for only. */
function indexCalls(files: readonly ts.SourceFile[]): Map<string, Call[]> {
  const calls = new Map<string, Call[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression;
      const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
      const known = calls.get(name);
      if (known) known.push(node);
      else calls.set(name, [node]);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return calls;
}

function nameOf(declaration: ts.SignatureDeclaration): string | undefined {
  const isInside = ts.isConstructorDeclaration(declaration) || ts.isArrowFunction(declaration);
  const owner = isInside ? declaration.parent : declaration;
  const isNamed =
    ts.isClassDeclaration(owner) ||
    ts.isVariableDeclaration(owner) ||
    ts.isFunctionDeclaration(owner) ||
    ts.isMethodDeclaration(owner);
  return isNamed ? owner.name?.getText() : undefined;
}

function listLiterals(type: ts.Symbol, checker: ts.TypeChecker): ts.ObjectLiteralExpression[] {
  const found = new Set<ts.ObjectLiteralExpression>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && checker.getContextualType(node)?.getSymbol() === type)
      found.add(node);
    ts.forEachChild(node, visit);
  };
  for (const declaration of type.declarations ?? []) visit(declaration.getSourceFile());
  return [...found];
}
