/** Texts of the Appearance page. */
export const appearance = {
  appearance: 'Appearance',
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  textSize: 'Text size',
  density: 'Density',
  densityComfortable: 'Comfortable',
  densityCompact: 'Compact',
} as const;
