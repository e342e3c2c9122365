interface MarkProps {
  size?: number;
  className?: string;
}

/** The outline of a pressed wax seal, in a box of 48 by 48. */
export const sealOutline =
  'M45 22.2Q45.9 24 45.6 25.9Q45.2 27.7 44.4 29.4Q43.6 31.1 42.7 32.7Q41.8 34.3 40.5 35.5Q39.2 36.8 38.1 38.2Q37.1 39.6 35.9 41.1Q34.8 42.7 32.9 43Q31 43.3 29.2 43Q27.3 42.7 25.6 43.3Q24 43.9 22.2 44.4Q20.3 44.9 18.5 44.4Q16.8 43.9 15.1 43.2Q13.4 42.4 12 41.2Q10.6 40 9.7 38.4Q8.8 36.7 7.5 35.5Q6.2 34.3 4.8 32.9Q3.3 31.5 3.4 29.6Q3.4 27.6 4.1 25.8Q4.7 24 4.7 22.3Q4.6 20.6 4.7 18.8Q4.8 17 5.5 15.4Q6.1 13.7 6.9 12Q7.6 10.3 9.1 9.1Q10.6 8 12.4 7.5Q14.2 7 15.6 5.8Q17 4.6 18.5 3.4Q20.1 2.1 22.1 2.4Q24 2.7 25.7 3.5Q27.5 4.3 29.2 4.7Q30.8 5.2 32.4 6Q34 6.7 35.5 7.6Q37 8.5 38.7 9.4Q40.4 10.3 41.1 12Q41.9 13.7 41.9 15.6Q42 17.4 43 19Q44 20.5 45 22.2Z';

/** Waxwing's own mark: a wing pressed into a wax seal, its last feather in the yellow of the tail. */
export function Mark({ size = 32, className }: MarkProps) {
  return (
    <svg aria-hidden="true" className={className} height={size} viewBox="0 0 48 48" width={size}>
      <path d={sealOutline} fill="#a5251c" />
      <circle cx="24.2" cy="23.8" fill="#8a1a13" r="15.6" />
      <path d="M12.5 27.5C16 18.5 23.5 13 36 12.6C33.5 18 27 22.3 17.2 24.2Z" fill="#fbeee6" />
      <path d="M14.2 29.4C19 26.6 27.5 25.4 35.6 20.4C33.2 26 27 29.3 17.6 29.6Z" fill="#f0d6c8" />
      <path d="M17.2 32C22 31.4 28 30.8 33.4 27.6C31.2 32.2 26.6 34.6 20.4 34.2Z" fill="#f0b83a" />
    </svg>
  );
}
