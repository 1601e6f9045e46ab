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
