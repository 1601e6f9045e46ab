const split = (names: string): string[] => names.trim().split(/,\s+/);

/** The data of the demo companies. All people and companies are invented. */
export const companyNames = [
  'Harborview Anesthesia',
  'Lakeside Emergency Physicians',
  'Northgate Radiology',
  'Cedar Valley Hospitalists',
  'Summit Orthopedics',
  'Riverbend Pediatrics',
  'Bluestone Cardiology',
  'Prairie Women’s Health',
  'Granite State Pathology',
  'Coastal Critical Care',
  'Mesa Verde Family Medicine',
  'Old Mill Neurology',
];

export const firstNames = split(`
  Ada, Amara, Anders, Aoife, Beatriz, Benjamin, Björn, Camille, Chidi, Chloé, Daniel, Deepa, Élodie, Emeka, Emily,
  Eszter, Fatima, Finn, Grace, Hannah, Haruto, Ingrid, Isaac, Jamal, Jana, João, José, Kateřina, Kenji, Laila, Leila,
  Liam, Lucía, Łukasz, Malik, María, Mateo, Mei, Mohammed, Nadia, Naveen, Nia, Noah, Oksana, Olivia, Omar, Paige,
  Priya, Quinn, Rachel, Renée, Rosa, Samuel, Siobhán, Sofia, Søren, Tariq, Thandi, Tomás, Uma, Victor, Wanjiru,
  William, 小龙, 美玲, Xiulan, Yara, Yusuf, Zeynep, Zoë
`);

export const lastNames = split(`
  Abebe, Adeyemi, Ahmed, Andersen, Baker, Bianchi, Björklund, Brown, Castillo, Chen, Cohen, D’Angelo, D'Souza,
  Dvořák, Edwards, Eriksson, Fernández, Fischer, Fitzgerald, García, Gonçalves, Goldberg, Hernández, Horváth,
  Ibrahim, Ito, Jackson, Johnson, Kaur, Khan, Kim, Kowalski, Krüger, Lee, Lindqvist, López, MacLeod, Martin, Mbeki,
  Müller, Nakamura, Nguyen, Novák, Núñez, O'Brien, O'Neil, Okafor, Patel, Peña, Petrov, Quispe, Reyes, Rossi, Şahin,
  Schmidt, Silva, Singh, Smith, Sørensen, Tanaka, Taylor, Tremblay, Van der Berg, Vasquez, Wang, Weiß, Williams,
  Wójcik, Yılmaz, Young, Zhang, Zieliński, 李, 王
`);

interface Category {
  readonly name: string;
  readonly tags: readonly string[];
  /** What the tags are for. `timeClock` categories are the TTCMTags of a person. */
  readonly on: 'staff' | 'timeClock' | 'location' | 'task' | 'pay';
}

export const categories: readonly Category[] = [
  {
    name: 'Specialty',
    on: 'staff',
    tags: ['Anesthesiology', 'Cardiology', 'Critical Care', 'Emergency', 'Family Medicine', 'Pediatrics', 'Radiology'],
  },
  { name: 'Employment', on: 'staff', tags: ['Full time', 'Part time', 'Per diem', 'Locum tenens'] },
  { name: 'Seniority', on: 'staff', tags: ['Resident', 'Fellow', 'Attending', 'Section chief'] },
  { name: 'Team', on: 'staff', tags: ['Blue', 'Green', 'Gold', 'Red'] },
  { name: 'Language', on: 'staff', tags: ['English', 'Español', 'Polski', 'Français', '中文', 'العربية'] },
  { name: 'Time Clock', on: 'timeClock', tags: ['Hourly', 'Exempt', 'On call'] },
  { name: 'Region', on: 'location', tags: ['North', 'South', 'East', 'West'] },
  { name: 'Facility', on: 'location', tags: ['Hospital', 'Clinic', 'Surgery center'] },
  { name: 'Shift type', on: 'task', tags: ['Day', 'Evening', 'Night', 'Call'] },
  { name: 'Differential', on: 'pay', tags: ['Weekend', 'Holiday', 'Bilingual', 'Preceptor'] },
];

export const tasks = [
  ...['OR 1', 'OR 2', 'OR 3', 'Trauma Call', 'Late Call', 'Pain Clinic', 'ICU Day', 'ICU Night', 'Consults'],
  ...['Endoscopy', 'Obstetrics', 'Pre-op Clinic', 'Administrative', 'Backup'],
];

export const profiles = ['Scheduler', 'Provider', 'Physician Lead', 'Reviewer', 'Payroll', 'Read only'];

export const locations = [
  { name: 'Main Hospital', address: '100 Harbor Way', timeZone: 'America/New_York' },
  { name: 'Westside Clinic', address: '22 Alder Street', timeZone: 'America/New_York' },
  { name: 'Lakeshore Surgery Center', address: '7 Pier Road', timeZone: 'America/Chicago' },
  { name: 'Children’s Pavilion', address: '415 Elm Avenue', timeZone: 'America/Chicago' },
  { name: 'North Campus', address: '1 Summit Drive', timeZone: 'America/Denver' },
  { name: 'Bayview Imaging', address: '88 Ocean Boulevard', timeZone: 'America/Los_Angeles' },
];

export const cities = [
  ['Portland', 'ME', '04101'],
  ['Albany', 'NY', '12207'],
  ['Madison', 'WI', '53703'],
  ['Boulder', 'CO', '80302'],
  ['Santa Fe', 'NM', '87501'],
  ['San José', 'CA', '95113'],
] as const;

export const streets = ['Maple Street', 'Oak Avenue', 'Cañada Road', 'Birch Lane', 'River Road', 'St. John’s Place'];

export const staffTypes = ['Physician', 'Nurse practitioner', 'Physician assistant', 'CRNA', 'Resident'];

export const colors = ['#1F77B4', '#2CA02C', '#D62728', '#9467BD', '#8C564B', '#17BECF', '#BCBD22', '#7F7F7F'];

export const credentials = ['Privileges', 'State license', 'BLS', 'ACLS', 'DEA registration'];
