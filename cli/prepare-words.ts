/** A command class whose words need work before the parser can read them. */
interface WordPreparer {
  prepareWords(words: readonly string[]): readonly string[];
}

/** The words of a command line as its command wants the parser to see them. */
export function prepareWords(commandClass: object, words: readonly string[]): readonly string[] {
  return preparesWords(commandClass) ? commandClass.prepareWords(words) : words;
}

function preparesWords(commandClass: object): commandClass is WordPreparer {
  return 'prepareWords' in commandClass && typeof commandClass.prepareWords === 'function';
}
