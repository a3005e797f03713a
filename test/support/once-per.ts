/** Returns a function that calls `make` once for each argument, and returns the same result from then on. */
export function oncePer<Argument, Result>(
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const results = new Map<Argument, Result>();
  return (argument) => {
    if (!results.has(argument)) results.set(argument, make(argument));
    return results.get(argument) as Result;
  };
}
