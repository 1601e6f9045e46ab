import { expect, test } from 'vitest';
import { createCsdl } from './create-csdl.ts';
import type { EntityModel } from './model.ts';

const model: EntityModel = {
  types: {
    Person: {
      properties: {
        Id: { type: 'Edm.String' },
        Pin: { type: 'Edm.String', hidden: true },
        Fte: { type: 'Edm.Decimal' },
        Since: { type: 'Edm.DateTimeOffset', nullable: false },
        Tags: { type: 'Tag', collection: true },
      },
    },
    Tag: { properties: { Key: { type: 'Edm.Int32' }, Names: { type: 'Name', collection: true } } },
    Name: { properties: { Text: { type: 'Edm.String', nullable: false } } },
  },
};

const csdl = createCsdl(model, {
  namespace: 'Test',
  container: 'Service',
  entitySets: [{ name: 'People', type: 'Person' }],
  keys: { Person: ['Id'], Tag: ['Key'] },
});

test('describes entity types with keys, complex types without, and contained entities, as CSDL JSON', () => {
  expect(csdl.json).toEqual({
    $Version: '4.01',
    $EntityContainer: 'Test.Service',
    Test: {
      Person: {
        $Kind: 'EntityType',
        $Key: ['Id'],
        Id: {},
        Fte: { $Type: 'Edm.Decimal', $Nullable: true, $Scale: 'variable' },
        Since: { $Type: 'Edm.DateTimeOffset', $Precision: 12 },
        Tags: { $Kind: 'NavigationProperty', $Collection: true, $Type: 'Test.Tag', $ContainsTarget: true },
      },
      Tag: {
        $Kind: 'EntityType',
        $Key: ['Key'],
        Key: { $Type: 'Edm.Int32' },
        Names: { $Collection: true, $Type: 'Test.Name' },
      },
      Name: { $Kind: 'ComplexType', Text: {} },
      Service: { $Kind: 'EntityContainer', People: { $Collection: true, $Type: 'Test.Person' } },
    },
  });
});

test('writes the same as CSDL XML in the version that the client accepts', () => {
  const xml = csdl.xml('4.0');
  expect(xml).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>',
      '<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Test">',
      '<EntityType Name="Person"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String" Nullable="false"/>',
      '<Property Name="Fte" Type="Edm.Decimal" Scale="variable"/>',
      '<Property Name="Since" Type="Edm.DateTimeOffset" Nullable="false" Precision="12"/>',
      '<NavigationProperty Name="Tags" Type="Collection(Test.Tag)" ContainsTarget="true"/></EntityType>',
      '<EntityType Name="Tag"><Key><PropertyRef Name="Key"/></Key><Property Name="Key" Type="Edm.Int32" Nullable="false"/>',
      '<Property Name="Names" Type="Collection(Test.Name)" Nullable="false"/></EntityType>',
      '<ComplexType Name="Name"><Property Name="Text" Type="Edm.String" Nullable="false"/></ComplexType>',
      '<EntityContainer Name="Service"><EntitySet Name="People" EntityType="Test.Person"/></EntityContainer>',
      '</Schema></edmx:DataServices></edmx:Edmx>\n',
    ].join(''),
  );
  expect(csdl.xml('4.01')).toBe(xml.replace('Version="4.0"', 'Version="4.01"'));
});
