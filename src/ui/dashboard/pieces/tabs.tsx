/** Links to the parts of a screen. */
export const Tabs = ({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (readonly [name: string, address: string, isOpen: boolean])[];
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(([name, address, isOpen]) => (
      <a key={name} href={address} aria-current={isOpen ? "true" : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
