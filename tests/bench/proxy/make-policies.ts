/** So many policies, of which the last permits what the measurement calls. */
export function makePolicies(count: number): string[] {
  const others = Array.from(
    { length: count - 1 },
    (_, number) =>
      `permit(principal == Client::"user-${number}", action == Action::"call_tool", resource == Tool::"tool-${number}") when { context.claim_level > ${number} && context.arg_text like "x*" };`,
  );
  return [
    ...others,
    'permit(principal, action == Action::"call_tool", resource == Tool::"echo") when { principal.claim_team == "red" };',
  ];
}
