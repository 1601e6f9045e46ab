#!/bin/sh
# Makes the certificates of the tests with OpenSSL: run it in this folder.
set -eu
config=$(mktemp)
trap 'rm -f "$config" ./*.srl' EXIT
cat > "$config" <<'CONFIG'
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
subjectAltName = IP:127.0.0.1, DNS:localhost
[misnamed]
subjectAltName = DNS:inner.example
[client]
extendedKeyUsage = clientAuth
CONFIG
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key.pem"; }
# authority NAME
authority() {
  key "$1"
  openssl req -new -key "$1.key.pem" -subj "/CN=$1" |
    openssl x509 -req -key "$1.key.pem" -days 36500 -extfile "$config" -extensions ca -out "$1.pem"
}
# sign NAME AUTHORITY EXTENSIONS KEY OPTION…
sign() {
  name=$1 by=$2 extensions=$3 key=$4
  shift 4
  openssl req -new -key "$key.key.pem" -subj "/CN=$name" |
    openssl x509 -req -CA "$by.pem" -CAkey "$by.key.pem" -CAcreateserial -extfile "$config" -extensions "$extensions" "$@" -out "$name.pem"
}
authority ca
authority other-ca
key server
key client
sign server ca server server -days 36500
sign misnamed ca misnamed server -days 36500
sign expired ca server server -days -1
sign other-server other-ca server server -days 36500
sign client ca client client -days 36500
sign other-client other-ca client client -days 36500
