/**
 * Emits the types of the sources so that they need no library: a type that is derived from a value, such as a schema, is
 * written out in full.
 */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import ts from "typescript";

const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => "\n",
};

/** Emits the declarations of all files to the folder. Throws the problems of the compiler. */
export function emitPlainTypes(outDir) {
  const { config } = ts.readConfigFile("tsconfig.build.json", ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ".", { outDir });
  const program = ts.createProgram(fileNames, options);
  const afterDeclarations = [writeOut(program.getTypeChecker())];
  const { diagnostics } = program.emit(undefined, undefined, undefined, true, { afterDeclarations });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, format));
}

/** Writes a type out in full, with a line for each field. */
const writtenOut =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals;

/** Creates the transformer that writes out the types derived from values. */
const writeOut = (checker) => (context) => {
  const { factory } = context;
  /** Makes type imports relative to the emitted file: the compiler names the path of their source. */
  const importFrom = (folder) => {
    const visitImport = (node) => {
      const inner = ts.visitEachChild(node, visitImport, context);
      if (!ts.isImportTypeNode(inner) || !isAbsolute(inner.argument.literal.text)) return inner;
      const { argument, attributes, qualifier, typeArguments, isTypeOf } = inner;
      const path = `./${relative(folder, argument.literal.text).replaceAll("\\", "/")}.js`;
      const from = factory.createLiteralTypeNode(factory.createStringLiteral(path));
      return factory.updateImportTypeNode(inner, from, attributes, qualifier, typeArguments, isTypeOf);
    };
    return visitImport;
  };
  /** Returns the type that a derived type resolves to, or undefined for any other type. */
  const plainOf = (node) => {
    const declared = ts.getParseTreeNode(node);
    if (!declared || !isDerived(declared) || isGeneric(declared)) return undefined;
    const type = checker.getTypeAtLocation(declared);
    const folder = dirname(declared.getSourceFile().fileName);
    const plain = ts.visitNode(
      checker.typeToTypeNode(type, declared, writtenOut),
      importFrom(resolve(folder)),
    );
    return documented(plain, type);
  };
  /** Gives the fields of a type the comments and the order of their declarations. */
  const documented = (node, type) => {
    const inner = checker.getNonNullableType(type);
    if (ts.isUnionTypeNode(node) && !inner.isUnion())
      return factory.updateUnionTypeNode(
        node,
        node.types.map((one) => documented(one, inner)),
      );
    if (ts.isArrayTypeNode(node))
      return factory.updateArrayTypeNode(
        node,
        documented(node.elementType, checker.getIndexTypeOfType(inner, ts.IndexKind.Number)),
      );
    if (!ts.isTypeLiteralNode(node)) return node;
    const fields = node.members.map((member) => ({ member, symbol: symbolOf(member, inner) }));
    fields.sort((one, other) => comparePlaces(one.symbol, other.symbol));
    const members = fields.map(({ member, symbol }) => (symbol ? documentedField(member, symbol) : member));
    return factory.updateTypeLiteralNode(node, members);
  };
  const symbolOf = (member, owner) =>
    ts.isPropertySignature(member) ? owner.getProperty(member.name.text) : undefined;
  const documentedField = (member, symbol) => {
    const { modifiers, name, questionToken, type } = member;
    const inner = documented(type, checker.getTypeOfSymbol(symbol));
    const field = factory.updatePropertySignature(member, modifiers, name, questionToken, inner);
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    if (comment === "") return field;
    const text = comment.includes("\n") ? `*\n * ${comment.replaceAll("\n", "\n * ")}\n ` : `* ${comment} `;
    return ts.addSyntheticLeadingComment(field, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
  };
  /** Returns whether the type uses a type parameter of the declaration around it. */
  const isGeneric = (node) => {
    const isParameter = (inner) =>
      ts.isIdentifier(inner)
        ? (checker.getSymbolAtLocation(inner)?.declarations ?? []).some(
            (one) => ts.isTypeParameterDeclaration(one) && (one.pos < node.pos || one.end > node.end),
          )
        : ts.forEachChild(inner, isParameter);
    return isParameter(node) === true;
  };
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node)) return visitInterface(node);
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) {
      const plain = plainOf(node);
      if (plain) return plain;
    }
    return ts.visitEachChild(node, visit, context);
  };
  /** Gives an interface the members of the derived types that it extends. */
  const visitInterface = (node) => {
    const members = [];
    const clauses = [];
    for (const clause of node.heritageClauses ?? []) {
      const kept = [];
      for (const one of clause.types) {
        const plain = plainOf(one);
        if (!plain) kept.push(one);
        else if (ts.isTypeLiteralNode(plain)) members.push(...plain.members);
        else throw new Error(`${node.name.text} extends a type that is no object`);
      }
      if (kept.length > 0) clauses.push(factory.updateHeritageClause(clause, kept));
    }
    const { modifiers, name, typeParameters } = node;
    members.push(...node.members);
    const whole = factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, clauses, members);
    return ts.visitEachChild(whole, visit, context);
  };
  return (file) => ts.visitEachChild(file, visit, context);
};

/** Compares the places of two declarations. Fields of the same file stay together. */
function comparePlaces(one, other) {
  const [first, second] = [one, other].map((symbol) => symbol?.declarations?.[0]);
  if (!first || !second) return 0;
  const [file, otherFile] = [first, second].map((declaration) => declaration.getSourceFile().fileName);
  return file === otherFile ? first.pos - second.pos : file < otherFile ? -1 : 1;
}

const derivedKinds = new Set([
  ts.SyntaxKind.TypeReference,
  ts.SyntaxKind.ExpressionWithTypeArguments,
  ts.SyntaxKind.IndexedAccessType,
  ts.SyntaxKind.TypeOperator,
  ts.SyntaxKind.MappedType,
]);

/** Returns whether the type names a value (`typeof X`) to derive something from it. */
const isDerived = (node) =>
  derivedKinds.has(node.kind) &&
  ts.forEachChild(node, function names(inner) {
    return ts.isTypeQueryNode(inner) || ts.forEachChild(inner, names);
  }) === true;
