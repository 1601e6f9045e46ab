/** Valid inputs of an ABNF rule, and invalid inputs with the offset of the first fault. */
export interface RuleCases {
  readonly rule: string;
  readonly valid: readonly string[];
  readonly invalid: readonly (readonly [text: string, offset: number])[];
}

/** Inputs are separated by ` ¦ ` or line ends. ▲ is before the first fault of an invalid input, and not part of it. */
function rule(name: string, valid: string, invalid: string): RuleCases {
  const split = (texts: string) => texts.split(/ ¦ |\n */).filter((text) => text !== '');
  return {
    rule: name,
    valid: split(valid),
    invalid: split(invalid).map((text) => [text.replace('▲', ''), text.indexOf('▲')]),
  };
}

/** Inputs are parts of a URL, percent-encoded. `+` is a space only where noted. */
export const expressionCases: readonly RuleCases[] = [
  rule(
    'commonExpr',
    `
      null ¦ true ¦ FALSE ¦ 0 ¦ -0 ¦ %2B7 ¦ 1.5e%2B3 ¦ NaN ¦ -INF ¦ 'a' ¦ '' ¦ ''''
      0123abCD-89ab-cdef-0123-456789abcdef ¦ Name ¦ _x9 ¦ %C3%96l ¦ a/b/c ¦ @p ¦ $it ¦ $this ¦ x/@A.b ¦ -x ¦ - x ¦ --x
      -(x) ¦ -INFO ¦ -NaN ¦ a add b ¦ a sub b mul c ¦ a divby 2 ¦ a mod -2 ¦ ((a)) ¦ (%20a%09) ¦ a%20eq%20b
      a  eq\t b ¦ not a ¦ not not a ¦ not (a) ¦ a eq not b ¦ not ¦ not eq 1 ¦ not eq not ¦ and and and ¦ eq eq eq
      in in (1) ¦ a eq b eq c ¦ a add b eq c and d or e ¦ a has A.b'c' and d ¦ a in b ¦ a in b and c ¦ a in (b)
      null eq null ¦ not/a ¦ true/a ¦ null/a ¦ date eq 2024-01-01 ¦ year/month ¦ asc ¦ any ¦ any/all ¦ case(a:b)
      case( a eq 1 : 2 , true : 3 ) ¦ case(a gt 10:20,true:0) ¦ case(a gt 10:20:1)
    `,
    `
      ▲ ¦ a eq▲ ¦ a eq ▲ ¦ a eq b ▲ ¦ a  ▲b ¦ (a▲ ¦ (a)▲) ¦ (▲) ¦ a▲,b ¦ a eq ▲.5 ¦ a eq 5.▲ ¦ a eq 1e▲ ¦ a eq %2B▲INF
      a and▲ ¦ not ▲ ¦ a/▲/b ¦ a/▲ ¦ ▲/a ¦ 1▲a ¦ ▲"a" ¦ a eq ▲"b" ¦ a eq 'b▲ ¦ $root▲ ¦ ▲$IT ¦ ▲$count ¦ case(▲)
      case(a▲) ¦ case(a:b,▲) ¦ a in ()▲a ¦ -▲
    `,
  ),
  rule(
    'listExpr',
    `
      () ¦ ( ) ¦ (1) ¦ ( 1 , 2 ) ¦ ('a','b''c') ¦ (null,true,2024-01-01,duration'P1D',A.b'c') ¦ (-1,%2B1,INF)
    `,
    `(1,▲) ¦ (1 ▲2) ¦ (1,▲a) ¦ (1,▲(2)) ¦ (1▲ ¦ ('a' ,▲`,
  ),
  rule(
    'functionExpr',
    `
      A.f() ¦ f() ¦ f( ) ¦ A.B.f(x=1) ¦ f(x=@p) ¦ f( x=1 , y=a add b ) ¦ f(x={"a":[1,"b"]},y=[]) ¦ f()/b ¦ f()/g()/c
      f(x=1)(2)/b ¦ f()(a=1,b=2) ¦ f()/$count ¦ f()/any(x:x eq 1) ¦ f()/@A.b ¦ f()/$filter(a)/$count ¦ f()/A.T/b
      a/A.f() ¦ a/b/f(x=null) ¦ f(x=f(y=1))
    `,
    `f(▲ ¦ f(▲x) ¦ f(x=▲) ¦ f(x=1,▲) ¦ f(▲x =1) ¦ f(x= ▲1) ¦ f ▲(x=1)`,
  ),
  rule(
    'rootExpr',
    `
      $root/A ¦ $root/A(1) ¦ $root/A('x')/b ¦ $root/A(@p) ¦ $root/A(a=1,b=@p)/c ¦ $root/A/1
      $root/A/0123abCD-89ab-cdef-0123-456789abcdef/b ¦ $root/A/2024-01-01 ¦ $root/A/'x' ¦ $root/f(x=1)/b
      $root/A/$count ¦ $root/A/$filter(b)(1)/c ¦ $root/f()(1) ¦ $root/A/B.T(1)/c ¦ $root/A/any(x:x/b)
    `,
    `$root/▲ ¦ $root▲(1) ¦ ▲$ROOT/A ¦ $root/▲$count ¦ $root/A(1▲ ¦ $root/A()(▲`,
  ),
  rule(
    'collectionPathExpr',
    `
      /$count ¦ /$count($filter=a) ¦ /$count($search=x) ¦ /$count($filter=a;$search=x) ¦ /$count(filter=a)
      /$count($FILTER=a) ¦ /$filter(a) ¦ /$filter(a)/$filter(b) ¦ /$filter(a eq 1)/$count($filter=b) ¦ /any()
      /any( ) ¦ /any(x:x) ¦ /ANY( x : x/y ) ¦ /all(x:true) ¦ /all(x:x/a/any(y:y eq x)) ¦ /A.f() ¦ /@A.b
    `,
    `
      /$count(▲) ¦ /$count(▲$top=1) ¦ /$count(▲ $filter=a) ¦ /$count($filter=a▲ ¦ /$count▲/a ¦ /$filter(▲)
      /$filter( ▲a) ¦ /all(▲) ¦ /any(x▲) ¦ /any(x:▲) ¦ /any(▲1:x) ¦ /any(x:x▲
    `,
  ),
  rule(
    'methodCallExpr',
    `
      concat(a,'b') ¦ contains(a,'b') ¦ endswith(a,'b') ¦ indexof(a,'b') ¦ matchesPattern(a,'b') ¦ startswith(a,'b')
      substring(a,'b') ¦ length( a ) ¦ toLower( a ) ¦ TOUPPER( a ) ¦ trim( a ) ¦ year( a ) ¦ month( a ) ¦ day( a )
      hour( a ) ¦ minute( a ) ¦ second( a ) ¦ fractionalseconds(a) ¦ totalseconds(a) ¦ date(a) ¦ time(a)
      totaloffsetminutes(a) ¦ round(a) ¦ floor(a) ¦ ceiling(-a) ¦ now() ¦ mindatetime( ) ¦ maxdatetime()
      substring( a , 1 , 2 ) ¦ geo.length(a) ¦ geo.distance(a,@p) ¦ GEO.intersects(a, b) ¦ hassubset(a,[1])
      hassubsequence([], a) ¦ length(%27a%27)
    `,
    `
      length(▲) ¦ length(a▲,b) ¦ length(a▲ ¦ concat(a▲) ¦ concat(a,b▲,c) ¦ substring(a▲) ¦ substring(a,1,2▲,3)
      now(▲1) ¦ geo.distance(a▲)
    `,
  ),
  rule(
    'castExpr',
    `
      cast(Edm.String) ¦ cast(a,Edm.Int32) ¦ cast( a/b , A.T ) ¦ cast(a,T) ¦ cast(T) ¦ cast(Collection(A.T))
      cast(a,Collection(Edm.String)) ¦ CAST(1 add 2,Edm.Double) ¦ cast(@p,Edm.Date) ¦ cast(null,Edm.SByte)
      cast(cast(a,T),T) ¦ cast(a,Edm.GeographyPoint)
    `,
    `
      cast(▲) ¦ cast(a,▲) ¦ cast(a,▲'Edm.String') ¦ cast(1▲) ¦ cast(a,T▲,T) ¦ cast(a,Collection(T)▲
      cast(a,collection▲(T))
    `,
  ),
  rule(
    'isofExpr',
    `isof(A.T) ¦ isof(a,A.T) ¦ isof( a , T ) ¦ isof($it,A.T) ¦ isof(a/b,Collection(Edm.Byte)) ¦ ISOF(T)`,
    `isof(▲) ¦ isof(a/b▲) ¦ isof(A.T▲`,
  ),
  rule(
    'arrayOrObject',
    `
      [] ¦ [ ] ¦ {} ¦ %5B%5D ¦ %7B%20%7D ¦ [1,2] ¦ [ 1 , "a" ] ¦ ["a","b%5C"c","%5C%5C","%5Cu00e9","%5Cn%5C/"]
      {"a":1} ¦ { "a" : {"b":[null,true,NaN]} , "":2 } ¦ {"@odata.id":"x"} ¦ [a add 1,f(x=1),$it,@p,'q']
      ["a%0Ab%C2%85"] ¦ ["%F0%9F%98%80"] ¦ {"a":1,"a":2} ¦ ["a b:{}[]"]
    `,
    `
      [▲ ¦ [1▲ ¦ [1,▲] ¦ [1 ▲2] ¦ [▲,1] ¦ {"a"▲} ¦ {"a":▲} ¦ {▲a:1} ¦ {▲'a':1} ¦ {"a":1,▲} ¦ [▲"a] ¦ [▲"%5Cq"]
      [▲"%5Cu12"]
    `,
  ),
  rule(
    'annotationExpr',
    `@A.b ¦ @A.B.c%23q ¦ @c%23q ¦ @A.b/d ¦ @A.b/any(x:x) ¦ @A.b/$count ¦ @A.b/@C.d ¦ @A.b/A.f()`,
    `@▲ ¦ @A▲. ¦ @A.b%23▲ ¦ @▲1 ¦ @A.b▲(1)`,
  ),
  rule(
    'inscopeVariableExpr',
    `$it ¦ $this ¦ $it/a ¦ $this/A.T/b ¦ @p/a ¦ x ¦ $it/A.f() ¦ $this/@A.b`,
    `$it/▲ ¦ ▲$itx ¦ ▲$me ¦ ▲$It`,
  ),
  rule(
    'primitiveLiteral',
    `
      null ¦ TRUE ¦ fAlse ¦ 0123abCD-89ab-cdef-0123-456789abcdef ¦ 2024-02-30 ¦ -0044-03-15 ¦ 12024-01-01 ¦ 0000-01-01
      00:00 ¦ 23:59:60 ¦ 23:59:59.123456789012 ¦ 2024-01-01T00:00Z ¦ 2024-01-01t00:00:00z
      2024-01-01T00:00:00.1-08:00 ¦ 2024-01-01T00:00:00%2B14:00 ¦ 2024-01-01T00%3A00%3A00Z ¦ 0 ¦ -128 ¦ 255 ¦ 32767
      -2147483648 ¦ 9223372036854775807 ¦ -9223372036854775808 ¦ 99999999999999999999999999 ¦ 1.0 ¦ -1.50 ¦ 1e308
      1E-400 ¦ %2B1.5e%2B10 ¦ INF ¦ -INF ¦ NaN ¦ '' ¦ '%27%27' ¦ %27a%27 ¦ 'a%20b' ¦ '%F0%9F%98%80' ¦ 'a+b' ¦ '%25'
      duration'P' ¦ duration'PT' ¦ duration'-P1DT2H3M4.5S' ¦ Duration'pt0s' ¦ duration'P99999D' ¦ A.B'c' ¦ A.b'c,d'
      A.b'1' ¦ A.b'-9223372036854775808' ¦ A.b'c,%2B2' ¦ binary'' ¦ binary'T0RhdGE' ¦ BINARY'T0RhdGE='
      binary'VGhpcyBpcyB0ZXN0-_-_' ¦ binary'AA==' ¦ binary'AA' ¦ geography'SRID=0;Point(142.1 64.1)'
      geometry'SRID=12345;Point(1 2 3 4)' ¦ Geography'srid=0%3Bpoint(-1e5 NaN)'
      geography'SRID=0;LineString(1 2,3 4)' ¦ geography'SRID=0;Polygon((1 1,1 1),(2 2,3 3,2 2))'
      geography'SRID=0;MultiPoint()' ¦ geography'SRID=0;MultiPoint((1 2),(3 4))'
      geometry'SRID=0;MultiLineString((1 2,3 4))' ¦ geometry'SRID=0;MultiPolygon(((1 1,1 1)),((2 2)))'
      geometry'SRID=0;GeometryCollection(Point(1 2),GeometryCollection(Point(1 2)))'
    `,
    `
      ▲NULL ¦ ▲inf ¦ 1.▲ ¦ 1.5e▲ ¦ ▲.5 ¦ ▲--5 ¦ '▲ ¦ 'a''▲ ¦ 'a'▲b' ¦ 2024-1▲3-01 ¦ 2024-1▲-01 ¦ 2024-01-3▲2
      2024-01-01T▲ ¦ 2024-01-01T2▲4:00Z ¦ 2024-01-01T00:▲60Z ¦ 2024-01-01T00:00▲ ¦ 2024-01-01T00:00:00.▲Z
      2024-01-01T00:00:00.123456789012▲3Z ¦ 2024-01-01T00:00:00%2B1▲:00 ¦ duration'▲1D' ¦ duration'P1▲Y'
      duration'P1D▲ ¦ duration'▲%2BP1D' ¦ duration'P1▲.5D' ¦ A.b'▲' ¦ A.b'c,▲' ¦ A.b'c▲ d' ¦ b▲'c'
      datetime▲'2024-01-01' ¦ binary'A▲' ¦ binary'AB▲==' ¦ binary'T0Rh▲ dGE' ¦ geography'▲Point(1 2)'
      geography'SRID=0;Point(▲1)' ¦ geography'SRID=0;LineString(1 2▲)' ¦ geography'▲SRID=123456;Point(1 2)'
      geography'SRID=0;▲Circle(1 2)' ¦ geography'SRID=0;GeometryCollection(▲)'
    `,
  ),
  rule(
    'odataIdentifier',
    `a ¦ _ ¦ a1 ¦ ${'x'.repeat(128)} ¦ %C3%A4 ¦ x%CC%81 ¦ a%E2%80%8D`,
    `▲ ¦ ▲1a ¦ a▲-b ¦ a▲ b ¦ ${'x'.repeat(128)}▲x ¦ ▲%CC%81x ¦ ▲%F0%9F%98%80`,
  ),
];

export const optionCases: readonly RuleCases[] = [
  rule(
    'filter',
    `
      $filter=a ¦ filter=a ¦ $FILTER=a ¦ %24filter=a ¦ $filter=a%20eq%20'x' ¦ $filter=a+eq+'x%2By'
      $filter=a eq %27x%27
    `,
    `
      $filter▲ ¦ $filter=▲ ¦ $filter= ▲a ¦ $filter=a eq 1▲,b ¦ $filter=a eq '▲%zz' ¦ $filter=a eq '▲%C3'
      $filter=a▲=b
    `,
  ),
  rule(
    'orderby',
    `
      $orderby=a ¦ orderby=a asc ¦ $orderby=a DESC,b ¦ $orderby=a  desc ¦ $orderby=a%09asc,length(b) desc
      $orderby=asc ¦ $orderby=desc desc ¦ $orderby=a/$count ¦ $orderby=a eq 1 desc ¦ $orderby=-a
      $orderby=a/b/@C.d,@p ¦ $orderby=not desc
    `,
    `
      $orderby=▲ ¦ $orderby=a,▲ ¦ $orderby=a ▲ ¦ $orderby=a ▲up ¦ $orderby=a asc▲ desc ¦ $orderby=a ▲,b ¦ $orderby=▲,a
      $orderby=a, ▲b
    `,
  ),
  rule(
    'select',
    `
      $select=* ¦ $select=%2A ¦ $select=a ¦ select=a,b/c ¦ $select=A.* ¦ $select=A.B.* ¦ $select=A.T/b ¦ $select=A.f
      $select=A.f(x,y) ¦ $select=f(x) ¦ $select=@A.b ¦ $select=@A.b%23q ¦ $select=a/@A.b ¦ $select=a($top=1)
      $select=a($select=b,c($skip=1)) ¦ $select=a($filter=b eq 'x,y';$orderby=b desc,c;$count=true;$search=x;$skip=1)
      $select=a(@p=1;$filter=b eq @p) ¦ $select=a($compute=b add 1 as c;$select=c) ¦ $select=a/A.T($select=b)
      $select=A.T/B.f ¦ $select=a,*,b ¦ $select=a(top=1)
    `,
    `
      $select=▲ ¦ $select=a,▲ ¦ $select=a,▲,b ¦ $select=a/▲ ¦ $select=a/▲* ¦ $select=a(▲) ¦ $select=a(▲$expand=b)
      $select=a(▲$levels=1) ¦ $select=a($top=1▲ ¦ $select=a($top=1;▲) ¦ $select=a▲ b ¦ $select=▲1 ¦ $select=A.f(x,▲)
      $select=a($select=b)▲/c ¦ $select=*▲*
    `,
  ),
  rule(
    'expand',
    `
      $expand=a ¦ $expand=* ¦ $expand=%2A ¦ $expand=*/$ref ¦ $expand=*($levels=2) ¦ $expand=*($levels=MAX)
      $expand=a/* ¦ $expand=a/*/$ref ¦ $expand=a/$ref
      $expand=a/$ref($filter=b;$orderby=c;$skip=1;$top=2;$count=false;$search=x) ¦ $expand=a/$count ¦ $expand=$value
      $expand=$VALUE ¦ $expand=a/$count($filter=b;$search=c OR d) ¦ $expand=a/A.T ¦ $expand=A.T/a
      $expand=A.T/a/B.U/$ref ¦ $expand=a/b/c ¦ $expand=@A.b ¦ $expand=@A.b/c($top=1) ¦ $expand=a($levels=10)
      $expand=a($select=b,c;$expand=d($top=1),e) ¦ $expand=a(@p=[1,2];$filter=b in @p)
      $expand=a($compute=b add 1 as c) ¦ $expand=a($filter=b eq ';)') ¦ $expand=a($search="x;)(")
      $expand=a($search=x%3By) ¦ $expand=a(count=true;TOP=1) ¦ $expand=a($filter=b),c/$ref,* ¦ $expand=a(%24filter=b)
      $expand=a%28$top=1%29 ¦ $expand=a($top=1%3B$skip=1) ¦ $expand=a($orderby=b desc,c)
    `,
    `
      $expand=▲ ¦ $expand=a,▲ ¦ $expand=a(▲) ¦ $expand=a($top=1;▲) ¦ $expand=a($top=1▲,$skip=2) ¦ $expand=a($top=1▲
      $expand=a($top=1)▲) ¦ $expand=a($levels=▲0) ¦ $expand=a($levels=▲-1) ¦ $expand=a(▲$format=json)
      $expand=a(▲$skiptoken=x) ¦ $expand=a(▲$index=1) ¦ $expand=*(▲$top=1) ¦ $expand=*▲/$count
      $expand=*/$ref▲($top=1) ¦ $expand=*▲/a ¦ $expand=a/$ref(▲$expand=b) ¦ $expand=a/$ref(▲$levels=1)
      $expand=a/$ref▲/b ¦ $expand=a/$count(▲$top=1) ¦ $expand=a/▲$value ¦ $expand=a/▲$REF ¦ $expand=▲$ref
      $expand=$value▲($top=1) ¦ $expand=a▲ b ¦ $expand=a($filter=b▲ ¦ $expand=a(▲foo=1) ¦ $expand=a(@p▲)
    `,
  ),
  rule(
    'search',
    `
      $search=a ¦ $search=%20a ¦ $search=a b ¦ $search=a AND b ¦ $search=a OR b ¦ $search=a AND b OR NOT c
      $search=NOT ¦ $search=AND ¦ $search=(a) ¦ $search=( a OR ( b c ) ) ¦ $search="a" ¦ $search="a AND (b"
      $search=%22a b%22 ¦ $search=O'Neil ¦ $search=a,b:c@d/e?f$g=h!* ¦ $search=a%26b ¦ $search=a%3Bb
      $search=and or not ¦ $search=a OR ¦ $search=a AND ¦ $search=OR OR OR ¦ $search=NOT NOT a ¦ $search=''
      $search='a''b' ¦ $search=%E6%97%A5%E6%9C%AC ¦ $search=a NOT b ¦ $search=NOT (a OR b) ¦ $search="a" "b"
      $search=1.5
    `,
    `
      $search=▲ ¦ $search="▲" ¦ $search="a▲ ¦ $search=a▲" ¦ $search=(a▲ ¦ $search=a▲) ¦ $search=(▲) ¦ $search=a▲;b
      $search='a b▲ ¦ $search="a"▲b ¦ $search=NOT▲(a)
    `,
  ),
  rule(
    'compute',
    `
      $compute=a as b ¦ compute=a add 1 as b,c AS d ¦ $compute=f(x=1) as b ¦ $compute=as as as
      $compute=case(a:1) as b
    `,
    `
      $compute=▲ ¦ $compute=a▲ ¦ $compute=a as▲ ¦ $compute=a as ▲ ¦ $compute=a as ▲1 ¦ $compute=a as b▲ c
      $compute=a ▲b
    `,
  ),
  rule('top', `$top=0 ¦ top=10 ¦ $TOP=007 ¦ $top=1000`, `$top=▲ ¦ $top=▲-1 ¦ $top=1▲.5 ¦ $top=1▲${' '} ¦ $top=▲all`),
  rule('skip', `$skip=0 ¦ skip=99999999999999999999`, `$skip=▲ ¦ $skip=▲-1 ¦ $skip=▲%2B1`),
  rule('inlinecount', `$count=true ¦ count=FALSE ¦ $Count=True`, `$count▲ ¦ $count=▲ ¦ $count=▲1 ¦ $count=▲trueish`),
  rule('index', `$index=0 ¦ index=-12`, `$index=▲ ¦ $index=-▲-1 ¦ $index=▲x`),
  rule(
    'format',
    `
      $format=json ¦ format=XML ¦ $format=atom ¦ $format=application/json;odata.metadata=full
      $format=application/atom+xml ¦ $format=image/svg%2Bxml ¦ $format=a%2Fb
    `,
    `$format=▲ ¦ $format=jsonp▲ ¦ $format=a/▲ ¦ $format=a/b▲/c`,
  ),
  rule(
    'schemaversion',
    `$schemaversion=* ¦ schemaversion=1.0-a_b~c ¦ $schemaversion=%2A`,
    `$schemaversion=▲ ¦ $schemaversion=a▲ b ¦ $schemaversion=*▲*`,
  ),
  rule('id', `$id=x ¦ id=http://h/s/A(1)?a=b ¦ $id=%C3%A4`, `$id=▲ ¦ $id▲`),
  rule('skiptoken', `$skiptoken=x ¦ $skiptoken=a='b' ¦ $SkipToken=%26`, `$skiptoken=▲ ¦ $skiptoken▲`),
  rule('deltatoken', `$deltatoken=x`, `$deltatoken=▲ ¦ $deltatoken▲`),
  rule(
    'queryOptions',
    `
      a ¦ a= ¦ a=b&c ¦ @p=1 ¦ @p=[1]&@q={"a":@p} ¦ %40p=1 ¦ $top=1&$skip=2&x=y ¦ skiptoken=x ¦ deltatoken=1 ¦ a@b$c=d
      x=%24&y=?/:@ ¦ $filter=a eq @p&@p=@q&@q=1
    `,
    `
      ▲ ¦ ▲& ¦ a=1&▲ ¦ a=1&▲&b=2 ¦ ▲=a ¦ ▲$ ¦ ▲$foo=1 ¦ a=1&▲$inlinecount=allpages ¦ @p▲ ¦ @p=▲ ¦ @▲=1 ¦ @▲1=1 ¦ a=▲%
      ▲%FF=1 ¦ $top=1&top=▲2 ¦ $top=1&$TOP=▲2 ¦ @p=1&@p=▲2
    `,
  ),
];
