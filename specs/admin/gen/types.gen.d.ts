// Written by tools/contract from specs/admin/openapi.yaml. Do not edit: run `pnpm generate`.
export interface paths {
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys
         * @description Returns the keys in a stable order, expired and revoked ones included. The keys themselves and their digests are never returned.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key and returns it once; only its SHA-256 digest is stored. A name that is taken returns 409. An unknown plan or scope returns 403: scopes are those of the endpoints, and `admin`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        /**
         * Get a key
         * @description Returns a key by its name, without the key itself.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the plan or the scopes of a key
         * @description Replaces the scopes of the key, or the plan of its owner: on this key, and on the owner's other keys that name a plan.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/keys/{name}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description Revokes the key. Its entry stays, so that requests with the key are rejected as revoked. A revoked key keeps the time of its first revocation.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{name}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key
         * @description Creates a successor of the key with the same owner, scopes and plan, and a name with the next number, `app-2` after `app`. The old key expires after the overlap. An expired or revoked key returns 409.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owners of keys
         * @description Returns the owners by name, with the number of their keys, expired and revoked ones included.
         */
        get: operations["listOwners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how many requests keys have made
         * @description Returns the finished requests of all owners, or of one, by hour or day in UTC. New requests appear after `flush_seconds` of the setting `usage` at the latest. Without that setting, the response is 501.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the plans
         * @description Returns `plans` and `default_plan` of the running configuration.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the configuration
         * @description Returns which configuration is served, and the faults of the last reload. Gateways with the same `revision` serve the same files at the same paths.
         */
        get: operations["getConfigurationState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed which key
         * @description Returns the newest changes of keys, latest first, never keys or digests. keys.json records no changes, and returns 501; they are in the log of the gateway.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
        ProblemFault: {
            /**
             * @description JSON Pointer (RFC 6901) to the invalid member of the body. Empty for the whole body.
             * @example /StaffId
             */
            pointer?: string;
            /**
             * @description Name of the invalid query or path parameter.
             * @example $filter
             */
            parameter?: string;
            /**
             * @description Name of the invalid header.
             * @example Content-Type
             */
            header?: string;
            /**
             * @description Name of the invalid cookie.
             * @example session
             */
            cookie?: string;
            /**
             * @description Explanation of the fault.
             * @example must have required property 'StaffId'
             */
            detail: string;
        };
        /** @description An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifier of the problem type: `urn:rostergate:problem:` and `code`, or the URI that IANA registers for it.
             * @example urn:rostergate:problem:validation_failed
             */
            type: string;
            /**
             * @description Short summary of the problem type. The same for every occurrence.
             * @example Request validation failed
             */
            title: string;
            /**
             * @description HTTP status code of the response.
             * @example 400
             */
            status: number;
            /**
             * @description Explanation of this occurrence, with what to do next.
             * @example Correct the parts that errors lists and send the request again.
             */
            detail: string;
            /**
             * Format: uri-reference
             * @description Path of the request, without its query.
             * @example /v2/staffmember
             */
            instance?: string;
            /**
             * @description Exact cause of the problem.
             * @example validation_failed
             */
            code: string;
            /**
             * @description Family of the cause: `ValidationError` (400), `AuthenticationError` (401), `AuthorizationError` (403), `NotFoundError` (404), and one for each of the other statuses.
             * @example ValidationError
             */
            kind: string;
            /**
             * @description Value of the `X-Request-Id` response header. Include it in support requests.
             * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
             */
            request_id: string;
            /** @description All faults in the request, each with its location. */
            errors?: components["schemas"]["ProblemFault"][];
        };
        /** @description A key, without the key itself and its digest. */
        Key: {
            /** @description Name of the key in logs and metrics. */
            name: string;
            /** @description Owner of the key. Requests are counted per owner. */
            owner: string;
            /** @description First characters of the key, to identify it in lists. */
            prefix: string;
            /** @description Scopes of the key. */
            scopes: string[];
            /** @description The plan that the key names. Absent without one; then the key has the plan of the other keys of its owner. */
            plan?: string;
            /**
             * Format: date-time
             * @description Time when the key was created.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key expires. Null means no expiry.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null when it is not revoked.
             */
            revoked_at: string | null;
            /**
             * @description State of the key at the time of the response.
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
        };
        /** @description One page of keys. */
        KeyPage: {
            /** @description The entries. */
            keys: components["schemas"]["Key"][];
            /** @description Value of `after` for the next page. Absent on the last page. */
            next?: string;
        };
        /** @description A key to create. */
        NewKey: {
            /** @description Name of the key in logs and metrics. */
            name: string;
            /** @description Owner of the key; by default the name. */
            owner?: string;
            /**
             * @description Scopes of the key.
             * @default []
             */
            scopes?: string[];
            /** @description Plan of the owner; by default that of its other keys. */
            plan?: string;
            /**
             * Format: date-time
             * @description Time when the key expires, in the future. Null means no expiry.
             */
            expires_at?: string | null;
            /**
             * @description First part of the key.
             * @default rg
             */
            prefix?: string;
        };
        /** @description A new key. No other response contains it. */
        CreatedKey: {
            /** @description The key. It is returned by this response only. */
            key: string;
            /** @description Name of the key in logs and metrics. */
            name: string;
            /** @description Owner of the key. Requests are counted per owner. */
            owner: string;
            /** @description First characters of the key, to identify it in lists. */
            prefix: string;
            /** @description Scopes of the key. */
            scopes: string[];
            /** @description The plan that the key names. Absent without one; then the key has the plan of the other keys of its owner. */
            plan?: string;
            /**
             * Format: date-time
             * @description Time when the key was created.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key expires. Null means no expiry.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null when it is not revoked.
             */
            revoked_at: string | null;
            /**
             * @description State of the key at the time of the response.
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
        };
        /** @description What to change of a key. */
        KeyChange: {
            /** @description The new scopes. */
            scopes?: string[];
            /** @description The new plan. */
            plan?: string;
        };
        /** @description How to replace a key. */
        Rotation: {
            /**
             * @description How long the old key stays valid, in seconds.
             * @default 86400
             */
            overlap_seconds?: number;
            /**
             * Format: date-time
             * @description Time when the new key expires, in the future; by default, it has the lifetime of the old key.
             */
            expires_at?: string;
            /** @description First part of the new key; by default that of the old key. */
            prefix?: string;
        };
        /** @description The successor of a key. No other response contains it. */
        RotatedKey: {
            /** @description The key. It is returned by this response only. */
            key: string;
            /** @description Name of the key in logs and metrics. */
            name: string;
            /** @description Owner of the key. Requests are counted per owner. */
            owner: string;
            /** @description First characters of the key, to identify it in lists. */
            prefix: string;
            /** @description Scopes of the key. */
            scopes: string[];
            /** @description The plan that the key names. Absent without one; then the key has the plan of the other keys of its owner. */
            plan?: string;
            /**
             * Format: date-time
             * @description Time when the key was created.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key expires. Null means no expiry.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null when it is not revoked.
             */
            revoked_at: string | null;
            /**
             * @description State of the key at the time of the response.
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
            /** @description The old key. */
            replaces: {
                /** @description Name of the old key. */
                name: string;
                /**
                 * Format: date-time
                 * @description Time when the old key expires.
                 */
                expires_at: string;
            };
        };
        /** @description An owner of keys. */
        Owner: {
            /** @description Name of the owner. */
            owner: string;
            /** @description Number of keys. */
            keys: number;
        };
        /** @description One page of owners. */
        OwnerPage: {
            /** @description The entries. */
            owners: components["schemas"]["Owner"][];
            /** @description Value of `after` for the next page. Absent on the last page. */
            next?: string;
        };
        /**
         * @description The number of requests in an hour or a day, with the parts that `by` names.
         * @example {
         *       "time": "2026-01-01T12:00:00Z",
         *       "owner": "shop",
         *       "key": "3f79bb7b",
         *       "operation": "getApiPrice",
         *       "status": "2xx",
         *       "requests": 120
         *     }
         */
        UsageCount: {
            /**
             * Format: date-time
             * @description Start of the hour or day, in UTC.
             */
            time: string;
            /** @description The owner of the key, or `<issuer>:<claim>` of a token. Empty for requests without a valid credential. */
            owner?: string;
            /** @description Name of the key. Empty like the owner. */
            key?: string;
            /** @description The operationId, as in `/openapi.json`; `unmatched` for requests that match no route. */
            operation?: string;
            /**
             * @description Class of the status. 429, a request over a limit, is counted apart from the other 4xx.
             * @enum {string}
             */
            status?: "1xx" | "2xx" | "3xx" | "4xx" | "429" | "5xx";
            /**
             * Format: int64
             * @description The number of requests.
             */
            requests: number;
        };
        /** @description Finished requests of the owners of keys and tokens. */
        Usage: {
            /**
             * Format: date-time
             * @description Start of the range, at a full hour in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, at a full hour in UTC. It is not part of the range.
             */
            to: string;
            /** @enum {string} */
            interval: "hour" | "day";
            /**
             * Format: int64
             * @description Requests in the range.
             */
            total_requests: number;
            /** @description The counts above 0, oldest first. */
            usage: components["schemas"]["UsageCount"][];
        };
        /**
         * @description A named set of limits. A request must pass all of them, and counts in all or none.
         * @example {
         *       "limits": [
         *         {
         *           "requests": 20,
         *           "per": "second"
         *         },
         *         {
         *           "requests": 50000,
         *           "per": "day"
         *         }
         *       ],
         *       "quota": {
         *         "requests": 1000000,
         *         "per": "month"
         *       }
         *     }
         */
        Plan: {
            /** @description Limits that slide, each in any interval of its length. At most one for each length. */
            limits?: {
                /** @description Maximum requests. Up to 10,000, each request leaves exactly when its interval has passed; above that, up to a thousandth of the interval later. */
                requests: number;
                /**
                 * @description Length of the interval. A day is any 24 hours.
                 * @enum {string}
                 */
                per: "second" | "minute" | "hour" | "day";
            }[];
            /** @description A limit for each day or month of the calendar. Periods begin at 00:00 UTC. */
            quota?: {
                /** @description Maximum requests. */
                requests: number;
                /**
                 * @description Period of the calendar.
                 * @enum {string}
                 */
                per: "day" | "month";
            };
        };
        /** @description The plans of the running configuration. */
        PlanList: {
            /** @description Limits by plan. */
            plans: {
                [key: string]: components["schemas"]["Plan"];
            };
            /** @description Plan of owners without one. Absent when there is none. */
            default_plan?: string;
        };
        /** @description A fault of a configuration. */
        ConfigurationFault: {
            /** @description File, line and column, or another source of the setting. */
            where: string;
            /** @description The field. Empty for a whole file. */
            field: string;
            /** @description What is wrong, and what to do. */
            detail: string;
        };
        /** @description Which configuration is served, and the faults of the last reload. */
        ConfigurationState: {
            /**
             * @description `degraded` when the files have faults, and an earlier configuration is served.
             * @enum {string}
             */
            status: "ready" | "degraded";
            /**
             * Format: date-time
             * @description Time when the served configuration was applied or, when degraded, of the first rejected reload.
             */
            since: string;
            /** @description Summary of the faults. */
            reason?: string;
            /** @description Number of the served configuration since the start of the gateway, which is 1. */
            generation: number;
            /** @description Digest of the served files and their paths. */
            revision: string;
            /** @description Paths of the files that are served. */
            sources: string[];
            /** @description Faults of the last reload; none when it succeeded. */
            faults: components["schemas"]["ConfigurationFault"][];
        };
        /** @description One change of a key. */
        AuditEntry: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            at: string;
            /** @description Name of the key that made the change, or user and host of a command. */
            actor: string;
            /** @description What was done, such as `create` or `revoke`. */
            action: string;
            /** @description Name of the changed key. */
            name: string;
            /** @description Owner of the changed key. */
            owner: string;
            /** @description The new values of the changed fields. */
            changes: {
                [key: string]: unknown;
            };
        };
        /** @description The newest changes of keys. */
        AuditTrail: {
            /** @description The changes, latest first. */
            entries: components["schemas"]["AuditEntry"][];
        };
        /** @description An OpenAPI document. The OpenAPI specification defines its other members. */
        OpenapiDocument: {
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Any other error, with one of the statuses 406, 408, 414, 431, 501 and 503. */
        UnexpectedProblem: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:uri_too_long",
                 *       "title": "The address is too long",
                 *       "status": 414,
                 *       "detail": "Keep the address within 16384 bytes.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "uri_too_long",
                 *       "kind": "UriTooLongError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Validation failed: a parameter is missing, malformed or not declared, or the body does not match its schema. `errors` lists every fault. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:validation_failed",
                 *       "title": "Request validation failed",
                 *       "status": 400,
                 *       "detail": "Correct the parts that errors lists and send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "validation_failed",
                 *       "kind": "ValidationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "errors": [
                 *         {
                 *           "parameter": "companyKey",
                 *           "detail": "must have required property 'companyKey'"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Credentials are missing, invalid, expired or revoked, or sent in more than one way. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:token_expired",
                 *       "title": "The bearer token has expired",
                 *       "status": 401,
                 *       "detail": "Log in again and send the new token.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "token_expired",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is authenticated but not allowed to do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:scope_missing",
                 *       "title": "A scope is missing",
                 *       "status": 403,
                 *       "detail": "This operation needs the scope admin. Use an account that has it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "scope_missing",
                 *       "kind": "AuthorizationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The quota is used up. Rejected requests do not count, so a request after `Retry-After` succeeds. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3).
                 * @example 12
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "limit_exceeded",
                 *       "kind": "RateLimitError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Server error. The response contains no internal details. The log contains them under the same request id. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:internal_error",
                 *       "title": "The server failed",
                 *       "status": 500,
                 *       "detail": "Try again later, and quote request_id if it lasts.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "internal_error",
                 *       "kind": "InternalError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server is starting, stopping or overloaded, or one of its dependencies is unavailable. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:unavailable",
                 *       "title": "The service is not available now",
                 *       "status": 503,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "unavailable",
                 *       "kind": "UnavailableError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The change conflicts with stored data. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:conflict",
                 *       "title": "The request conflicts with what is stored",
                 *       "status": 409,
                 *       "detail": "A person with this StaffId exists already. Choose another StaffId, or set UpdateIfExisting to true.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "conflict",
                 *       "kind": "ConflictError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request body is larger than the server accepts. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:body_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "detail": "Send a smaller body.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "body_too_large",
                 *       "kind": "PayloadTooLargeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The operation does not declare the Content-Type, or the content coding is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:media_type_unsupported",
                 *       "title": "The media type is not supported",
                 *       "status": 415,
                 *       "detail": "Send the body with a Content-Type that the operation declares.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "media_type_unsupported",
                 *       "kind": "MediaTypeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource does not exist, or the caller may not see it. The two responses are identical. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:not_found",
                 *       "title": "The resource does not exist",
                 *       "status": 404,
                 *       "detail": "No resource exists at this path. Check the keys in it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "not_found",
                 *       "kind": "NotFoundError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request uses a valid part of OData that is not supported, such as `$search`. */
        NotImplemented: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:odata_unsupported",
                 *       "title": "That part of OData is not supported",
                 *       "status": 501,
                 *       "detail": "$search is not supported. Use $filter with contains instead.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "odata_unsupported",
                 *       "kind": "NotImplementedError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy is current (RFC 9110, section 15.4.5). Sent when If-None-Match names the current version. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Returns the keys of this owner only.
         * @example acme
         */
        Owner: string;
        /**
         * @description Continues after this name, `next` of the page before.
         * @example app
         */
        After: string;
        /**
         * @description Most entries of the response.
         * @example 100
         */
        Limit: number;
        /**
         * @description Name of the key.
         * @example app
         */
        KeyName: string;
        /**
         * @description Start of the range; rounded down to an hour. By default 24 hours before `to`.
         * @example 2026-01-01T00:00:00Z
         */
        UsageFrom: string;
        /**
         * @description End of the range; rounded up to an hour. By default now. The range is at most 31 days by hour, and 400 days by day.
         * @example 2026-01-02T00:00:00Z
         */
        UsageTo: string;
        /**
         * @description Whether the counts are by hour or by day.
         * @example day
         */
        UsageInterval: "hour" | "day";
        /**
         * @description Parts by which the requests are counted apart, separated by commas. By default all of them.
         * @example [
         *       "owner",
         *       "status"
         *     ]
         */
        UsageBy: ("owner" | "key" | "operation" | "status")[];
        /**
         * @description Returns the requests of this owner only.
         * @example shop
         */
        UsageOwner: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of the request. The log line and `request_id` of a problem contain the same value. A well-formed `X-Request-Id` of the client is reused.
         * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
         */
        RequestId: string;
        /**
         * @description Remaining quota of each policy that applies (draft-ietf-httpapi-ratelimit-headers). `r` is the number of remaining requests. `t` is the number of seconds until one more request is available. A caller with a plan sees only the policy that is closest to its limit. Absent when limits are off and while the count is unknown.
         * @example "default";r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The policies that apply (draft-ietf-httpapi-ratelimit-headers). Each allows `q` requests in any `w` seconds. `default` covers all routes; in its place, a plan has one policy for each of its limits, such as `gold-day`. `endpoint` applies in addition where an endpoint has a limit of its own. `auxiliary` applies alone to pages, metrics and preflights, which do not use a client's quota. Absent when `RateLimit` is absent.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3). Absent when the time is unknown.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description Authentication scheme to use (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Version of the resource, as an entity tag (RFC 9110, section 8.8.3). It changes with every change of the resource. Send it back in If-Match or If-None-Match.
         * @example "7"
         */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description Returns the keys of this owner only.
                 * @example acme
                 */
                owner?: components["parameters"]["Owner"];
                /**
                 * @description Continues after this name, `next` of the page before.
                 * @example app
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description Most entries of the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "name": "app",
                     *           "owner": "acme",
                     *           "prefix": "rg_live_7Qx",
                     *           "scopes": [
                     *             "reports"
                     *           ],
                     *           "plan": "gold",
                     *           "created_at": "2026-01-01T12:00:00.000Z",
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "state": "active"
                     *         }
                     *       ],
                     *       "next": "app"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "app",
                 *       "owner": "acme",
                 *       "scopes": [
                 *         "reports"
                 *       ],
                 *       "plan": "gold"
                 *     }
                 */
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key, which is never returned again. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "rg_live_7QxExampleOnly_0c1d2e3f",
                     *       "name": "app",
                     *       "owner": "acme",
                     *       "prefix": "rg_live_7Qx",
                     *       "scopes": [
                     *         "reports"
                     *       ],
                     *       "plan": "gold",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "state": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "app",
                     *       "owner": "acme",
                     *       "prefix": "rg_live_7Qx",
                     *       "scopes": [
                     *         "reports"
                     *       ],
                     *       "plan": "gold",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "state": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "reports"
                 *       ],
                 *       "plan": "gold"
                 *     }
                 */
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description The changed key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "app",
                     *       "owner": "acme",
                     *       "prefix": "rg_live_7Qx",
                     *       "scopes": [
                     *         "reports"
                     *       ],
                     *       "plan": "gold",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "state": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "app",
                     *       "owner": "acme",
                     *       "prefix": "rg_live_7Qx",
                     *       "scopes": [
                     *         "reports"
                     *       ],
                     *       "plan": "gold",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "revoked_at": "2026-02-01T12:00:00.000Z",
                     *       "state": "revoked"
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the key.
                 * @example app
                 */
                name: components["parameters"]["KeyName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            /** @description The new key, which is never returned again. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "rg_live_7QxExampleOnly_0c1d2e3f",
                     *       "name": "app-2",
                     *       "owner": "acme",
                     *       "prefix": "rg_live_7Qx",
                     *       "scopes": [
                     *         "reports"
                     *       ],
                     *       "plan": "gold",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "state": "active",
                     *       "replaces": {
                     *         "name": "app",
                     *         "expires_at": "2026-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listOwners: {
        parameters: {
            query?: {
                /**
                 * @description Continues after this name, `next` of the page before.
                 * @example app
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description Most entries of the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of owners. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "owners": [
                     *         {
                     *           "owner": "acme",
                     *           "keys": 2
                     *         }
                     *       ],
                     *       "next": "acme"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description Start of the range; rounded down to an hour. By default 24 hours before `to`.
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: components["parameters"]["UsageFrom"];
                /**
                 * @description End of the range; rounded up to an hour. By default now. The range is at most 31 days by hour, and 400 days by day.
                 * @example 2026-01-02T00:00:00Z
                 */
                to?: components["parameters"]["UsageTo"];
                /**
                 * @description Whether the counts are by hour or by day.
                 * @example day
                 */
                interval?: components["parameters"]["UsageInterval"];
                /**
                 * @description Parts by which the requests are counted apart, separated by commas. By default all of them.
                 * @example [
                 *       "owner",
                 *       "status"
                 *     ]
                 */
                by?: components["parameters"]["UsageBy"];
                /**
                 * @description Returns the requests of this owner only.
                 * @example shop
                 */
                owner?: components["parameters"]["UsageOwner"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-01-01T12:00:00Z",
                     *       "to": "2026-01-01T13:00:00Z",
                     *       "interval": "hour",
                     *       "total_requests": 120,
                     *       "usage": [
                     *         {
                     *           "time": "2026-01-01T12:00:00Z",
                     *           "owner": "shop",
                     *           "key": "shop-web",
                     *           "operation": "getApiPrice",
                     *           "status": "2xx",
                     *           "requests": 120
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plans": {
                     *         "gold": {
                     *           "limits": [
                     *             {
                     *               "requests": 20,
                     *               "per": "second"
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "default_plan": "gold"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getConfigurationState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "degraded",
                     *       "since": "2026-01-01T12:00:00.000Z",
                     *       "reason": "1 fault in endpoints.json",
                     *       "generation": 3,
                     *       "revision": "5f2b0c9d1e3a4b6c",
                     *       "sources": [
                     *         "/etc/rostergate/settings.json",
                     *         "/etc/rostergate/endpoints.json"
                     *       ],
                     *       "faults": [
                     *         {
                     *           "where": "/etc/rostergate/endpoints.json:4:17",
                     *           "field": "endpoints[0].service",
                     *           "detail": "There is no service of that name."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigurationState"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Most entries of the response.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "at": "2026-01-01T12:00:00.000Z",
                     *           "actor": "ops",
                     *           "action": "create",
                     *           "name": "app",
                     *           "owner": "acme",
                     *           "changes": {
                     *             "scopes": [
                     *               "reports"
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditTrail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3",
                     *       "info": {
                     *         "title": "Example",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
}
/** One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
export type ProblemFault = components['schemas']['ProblemFault'];
/** An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
export type Problem = components['schemas']['Problem'];
/** A key, without the key itself and its digest. */
export type Key = components['schemas']['Key'];
/** One page of keys. */
export type KeyPage = components['schemas']['KeyPage'];
/** A key to create. */
export type NewKey = components['schemas']['NewKey'];
/** A new key. No other response contains it. */
export type CreatedKey = components['schemas']['CreatedKey'];
/** What to change of a key. */
export type KeyChange = components['schemas']['KeyChange'];
/** How to replace a key. */
export type Rotation = components['schemas']['Rotation'];
/** The successor of a key. No other response contains it. */
export type RotatedKey = components['schemas']['RotatedKey'];
/** An owner of keys. */
export type Owner = components['schemas']['Owner'];
/** One page of owners. */
export type OwnerPage = components['schemas']['OwnerPage'];
/** The number of requests in an hour or a day, with the parts that `by` names. */
export type UsageCount = components['schemas']['UsageCount'];
/** Finished requests of the owners of keys and tokens. */
export type Usage = components['schemas']['Usage'];
/** A named set of limits. A request must pass all of them, and counts in all or none. */
export type Plan = components['schemas']['Plan'];
/** The plans of the running configuration. */
export type PlanList = components['schemas']['PlanList'];
/** A fault of a configuration. */
export type ConfigurationFault = components['schemas']['ConfigurationFault'];
/** Which configuration is served, and the faults of the last reload. */
export type ConfigurationState = components['schemas']['ConfigurationState'];
/** One change of a key. */
export type AuditEntry = components['schemas']['AuditEntry'];
/** The newest changes of keys. */
export type AuditTrail = components['schemas']['AuditTrail'];
/** An OpenAPI document. The OpenAPI specification defines its other members. */
export type OpenapiDocument = components['schemas']['OpenapiDocument'];
